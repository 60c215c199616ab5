package kerneltest

import (
	"crypto/sha256"
	enc "encoding/binary"
	"fmt"
	"slices"
	"strings"

	"pushdown/harness/kernel"
)

// Digests runs every operation of the contract on dev. The text that it returns starts
// with the version of the contract. Then comes a line for each operation, with a SHA-256
// of all results. An operation that can continue a sum over rows from frame to frame has
// a second line, for such sums. The text depends only on the version of the contract.
func Digests(dev kernel.Device) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "contract %d\n", kernel.ContractVersion)
	for _, op := range ungrouped() {
		sum := sha256.New()
		for i := range table {
			w := &table[i]
			if w.Op != op {
				continue
			}
			trials := []int{0, 1, 2, 5, 7, 9}
			if w.large != [2]int{} {
				trials = append(trials, largeTrial)
			}
			for _, form := range w.Forms {
				for fl := range numFills {
					for _, trial := range trials {
						if trial == largeTrial && fl != moderate {
							continue
						}
						s := newScenario(w, form, fl, trial)
						got, err := s.run(dev)
						if err != nil {
							return "", fmt.Errorf("%v, form %d, %s, trial %d: %w", op, form, fillNames[fl], trial, err)
						}
						enc.Write(sum, enc.LittleEndian, s.comparable(got))
					}
				}
			}
		}
		fmt.Fprintf(&b, "%-16s %x\n", op, sum.Sum(nil))
	}
	for _, op := range continuing {
		w := &table[slices.IndexFunc(table, func(w row) bool { return w.Op == op })]
		sum := sha256.New()
		for _, trial := range continuedTrials() {
			s := newContinued(w, trial)
			got, err := s.run(dev)
			if err != nil {
				return "", fmt.Errorf("%v again, trial %d: %w", op, trial, err)
			}
			enc.Write(sum, enc.LittleEndian, s.comparable(got))
		}
		fmt.Fprintf(&b, "%-16s %x\n", op.String()+" again", sum.Sum(nil))
	}
	return b.String(), nil
}

// comparable returns the memory after a run, with the same word for all NaNs and with
// zeros for scratch memory.
func (s *scenario) comparable(got []uint32) []uint32 {
	words := make([]uint32, len(got))
	for i, w := range got {
		switch {
		case s.mark[i] == anything:
		case w&0x7f800000 == 0x7f800000 && w&0x007fffff != 0:
			words[i] = guard
		default:
			words[i] = w
		}
	}
	return words
}
