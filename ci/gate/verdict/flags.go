package verdict

import (
	"flag"
	"io"
	"os"
)

// Flags lets a command line set the options. Their present values are the
// defaults.
func (o *Options) Flags(flags *flag.FlagSet) {
	flags.Float64Var(&o.Loss, "loss", o.Loss, "the loss of speed that has to be seen")
	flags.Float64Var(&o.Alarm, "alarm", o.Alarm, "the accepted chance of a false alarm in a run")
	flags.Float64Var(&o.Miss, "miss", o.Miss, "the accepted chance that such a loss is not seen")
	flags.Float64Var(&o.Least, "least", o.Least, "the smallest estimate of a loss that fails")
}

// Publish writes the report for people, and adds it in Markdown to the summary
// file if one is named.
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
