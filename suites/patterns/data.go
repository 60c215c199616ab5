package patterns

import (
	"fmt"

	"pushdown/corpora/formal"
	"pushdown/harness/train"
)

// Data specifies the strings of an experiment.
type Data struct {
	Task       formal.Pattern `json:"task"`
	Corpus     uint64         `json:"corpus"`         // seed of the strings
	Min        int            `json:"min"`            // least n of training and validation
	Max        int            `json:"max"`            // n of training strings is below Max; see Lengths
	Epoch      int            `json:"epoch"`          // strings in an epoch
	ResetEvery int            `json:"reset_every"`    // strings after which stacks are emptied, in training; 0: only at each epoch
	Valid      int            `json:"valid"`          // strings in a validation
	Long       bool           `json:"long,omitempty"` // validation has n up to at least 19
}

// Lengths returns the range of n in an epoch. Epochs are counted from 0. The greatest n
// grows from epoch to epoch until it is Max-1.
func (d Data) Lengths(epoch int) formal.Range {
	return formal.Range{Min: d.Min, Max: max(min(epoch+3, d.Max), d.Min+1, 3) - 1}
}

// validation returns the range of n of the validation strings.
func (d Data) validation() formal.Range {
	switch {
	case d.Task == formal.Addition:
		return formal.Range{Min: 20, Max: 20}
	case d.Long:
		return formal.Range{Min: d.Min, Max: max(d.Max, 20) - 1}
	}
	return formal.Range{Min: d.Min, Max: d.Max - 1}
}

// check returns an error if no strings can be drawn from the data.
func (d Data) check() error {
	if err := d.Task.Check(formal.Range{Min: d.Min, Max: d.Max - 1}); err != nil {
		return fmt.Errorf("patterns: n of training is below %d: %w", d.Max, err)
	}
	if d.Epoch < 1 || d.Valid < 1 || d.ResetEvery < 0 {
		return fmt.Errorf("patterns: %s: %d strings in an epoch, %d of a validation, stacks emptied after %d, want at least 1, 1 and 0", d.Task, d.Epoch, d.Valid, d.ResetEvery)
	}
	return nil
}

// training returns the training strings.
func (d Data) training() (*Stream, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return &Stream{Task: d.Task, Seed: d.Corpus, Split: formal.Train, Per: d.Epoch, Lengths: d.Lengths, ResetEvery: d.ResetEvery, Answers: d.Answers()}, nil
}

// valid returns the validation strings. Stacks are emptied only before the first
// string.
func (d Data) valid() (*train.StreamSet, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	lengths := d.validation()
	s := &Stream{Task: d.Task, Seed: d.Corpus, Split: formal.Dev, Per: d.Valid, Lengths: func(int) formal.Range { return lengths }, Answers: d.Answers()}
	return train.NewStreamSet(s, 0, d.Valid, readSymbols)
}

// readSymbols is the number of symbols read at a time in validation and test.
const readSymbols = 256

// Stream is a sequence of strings of a task as an online run reads them. Each epoch has the
// same number of strings, with its own range of n. The first symbol of a string is
// predicted from the last symbol of the string before. The first symbol of an epoch is not
// predicted, unless Follow is set and an epoch came before. A Stream is not safe for
// concurrent use.
type Stream struct {
	Task       formal.Pattern
	Seed       uint64 // of the strings
	Split      formal.Split
	Per        int // strings in an epoch
	Lengths    func(epoch int) formal.Range
	ResetEvery int  // strings after which states are reset, counted in each epoch; 0: never
	Follow     bool // an epoch continues the one before
	Answers    bool // predict only symbols that the symbols before them determine

	epoch   int
	strings *formal.PatternStream // of the epoch
	next    int                   // index after that of the last string drawn
	last    uint8                 // last symbol of that string
}

// PerEpoch returns the number of strings in an epoch.
func (s *Stream) PerEpoch() int { return s.Per }

// Fill fills p with string i.
func (s *Stream) Fill(i int, p *train.StreamString) {
	at := i % s.Per
	p.ResetStates = s.ResetEvery > 0 && at%s.ResetEvery == 0
	begins := i == 0 || at == 0 && !s.Follow // there is no symbol before it
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

// draw returns string i and records its last symbol.
func (s *Stream) draw(i int) formal.PatternString {
	if epoch := i / s.Per; s.strings == nil || epoch != s.epoch {
		var err error
		if s.strings, err = s.Task.Stream(s.Seed, s.Split, uint32(epoch), s.Lengths(epoch)); err != nil {
			panic("patterns: " + err.Error()) // whoever makes a Stream checks its ranges
		}
		s.epoch = epoch
	}
	s.strings.Seek(uint32(i % s.Per))
	x := s.strings.Next()
	s.next, s.last = i+1, x.Tokens[len(x.Tokens)-1]
	return x
}

// Answers reports whether only the answers are predicted, as in additions.
func (d Data) Answers() bool { return d.Task == formal.Addition }
