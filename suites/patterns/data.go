package patterns

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/train"
)

// Data is the strings of an experiment.
type Data struct {
	Task       formal.Pattern `json:"task"`
	Corpus     uint64         `json:"corpus"`         // seed of the strings
	Min        int            `json:"min"`            // least n of training and validation
	Max        int            `json:"max"`            // n of training is below; see Lengths
	Epoch      int            `json:"epoch"`          // strings in an epoch
	ResetEvery int            `json:"reset_every"`    // strings after which stacks are emptied, in training; 0: at each epoch alone
	Valid      int            `json:"valid"`          // strings of a validation
	Long       bool           `json:"long,omitempty"` // validated on n up to 19 at least
}

// Lengths are those of an epoch, counted from 0: the longest grows from epoch to
// epoch until it is one less than Max.
func (d Data) Lengths(epoch int) formal.Range {
	return formal.Range{Min: d.Min, Max: max(min(epoch+3, d.Max), d.Min+1, 3) - 1}
}

// validation is the lengths of the validation strings.
func (d Data) validation() formal.Range {
	switch {
	case d.Task == formal.Addition:
		return formal.Range{Min: 20, Max: 20}
	case d.Long:
		return formal.Range{Min: d.Min, Max: max(d.Max, 20) - 1}
	}
	return formal.Range{Min: d.Min, Max: d.Max - 1}
}

// check refuses data without strings.
func (d Data) check() error {
	if err := d.Task.Check(formal.Range{Min: d.Min, Max: d.Max - 1}); err != nil {
		return fmt.Errorf("patterns: n of training is below %d: %w", d.Max, err)
	}
	if d.Epoch < 1 || d.Valid < 1 || d.ResetEvery < 0 {
		return fmt.Errorf("patterns: %s: %d strings in an epoch, %d of a validation, stacks emptied after %d, want at least 1, 1 and 0", d.Task, d.Epoch, d.Valid, d.ResetEvery)
	}
	return nil
}

// training is the strings of training.
func (d Data) training() (*Stream, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return &Stream{Task: d.Task, Seed: d.Corpus, Split: formal.Train, Per: d.Epoch, Lengths: d.Lengths, ResetEvery: d.ResetEvery, Answers: d.Answers()}, nil
}

// valid reads the validation strings, stacks being emptied at the first alone.
func (d Data) valid() (*train.StreamSet, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	lengths := d.validation()
	s := &Stream{Task: d.Task, Seed: d.Corpus, Split: formal.Dev, Per: d.Valid, Lengths: func(int) formal.Range { return lengths }, Answers: d.Answers()}
	return train.NewStreamSet(s, 0, d.Valid, readSymbols)
}

// readSymbols is how many symbols are read at a time where nothing is learnt.
const readSymbols = 256

// Stream is strings of a task, one after the other, as an online run reads them:
// epochs of strings whose lengths the epoch decides. The first symbol of a string
// is predicted from the last one of the string before; that of the first string
// of all, and of an epoch unless epochs follow each other as strings do, is not
// predicted. A Stream is for one reader at a time.
type Stream struct {
	Task       formal.Pattern
	Seed       uint64 // of the strings
	Split      formal.Split
	Per        int // strings in an epoch
	Lengths    func(epoch int) formal.Range
	ResetEvery int  // strings after which states are reset, counted in each epoch; 0: never
	Follow     bool // an epoch takes up the states of the one before
	Answers    bool // what does not follow from the symbols before it is not predicted

	epoch   int
	strings *formal.PatternStream // of the epoch
	next    int                   // the string after the last one that was filled
	last    uint8                 // its last symbol
}

// PerEpoch is the number of strings in an epoch.
func (s *Stream) PerEpoch() int { return s.Per }

// Fill makes p the string i.
func (s *Stream) Fill(i int, p *train.Piece) {
	at := i % s.Per
	p.ResetStates = s.ResetEvery > 0 && at%s.ResetEvery == 0
	begins := i == 0 || at == 0 && !s.Follow // without a symbol before it
	if !begins && s.next != i {
		s.draw(i - 1)
	}
	before := s.last
	x := s.draw(i)
	for j, symbol := range x.Tokens {
		if j == 0 && begins {
			before = symbol
			continue
		}
		target := int32(symbol)
		if s.Answers && j < x.From && !(j == 0 && s.Task.Counts()) {
			target = -1
		}
		p.Token, p.Target = append(p.Token, int32(before)), append(p.Target, target)
		before = symbol
	}
}

// draw gives the string i and keeps its last symbol.
func (s *Stream) draw(i int) formal.PatternString {
	if epoch := i / s.Per; s.strings == nil || epoch != s.epoch {
		var err error
		if s.strings, err = s.Task.Stream(s.Seed, s.Split, uint32(epoch), s.Lengths(epoch)); err != nil {
			panic("patterns: " + err.Error()) // ranges are checked where a Stream is made
		}
		s.epoch = epoch
	}
	s.strings.Seek(uint32(i % s.Per))
	x := s.strings.Next()
	s.next, s.last = i+1, x.Tokens[len(x.Tokens)-1]
	return x
}

// Answers tells whether the answers alone are predicted.
func (d Data) Answers() bool { return d.Task == formal.Addition }
