package regression

import (
	"flag"
	"io"
	"os"
)

// Flags defines a flag for each option. The current values are the defaults.
func (o *Options) Flags(flags *flag.FlagSet) {
	flags.Float64Var(&o.Loss, "loss", o.Loss, "the loss of speed to detect")
	flags.Float64Var(&o.Alarm, "alarm", o.Alarm, "the accepted probability of a false alarm in a run")
	flags.Float64Var(&o.Miss, "miss", o.Miss, "the accepted probability of missing such a loss")
	flags.Float64Var(&o.MinLoss, "least", o.MinLoss, "the smallest estimated loss that fails")
}

// Publish writes the report to w as text. If summary is not empty, it also appends
// the report to that file in Markdown.
func (rep *Report) Publish(w io.Writer, summary string) error {
	if err := rep.WriteText(w); err != nil || summary == "" {
		return err
	}
	f, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err := rep.WriteMarkdown(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
