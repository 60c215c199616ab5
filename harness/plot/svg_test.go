package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// A path of an SVG: its data and its style.
type path struct{ data, style string }

// points returns the number of points of the path.
func (p path) points() int { return strings.Count(p.data, ",") }

// shapes returns the number of closed shapes of the path.
func (p path) shapes() int { return strings.Count(p.data, "Z") }

// An image holds the elements of an SVG.
type image struct {
	paths []path
	texts []string
}

// svg draws a figure as SVG and parses it.
func svg(t *testing.T, d Drawing) (im image) {
	t.Helper()
	var b bytes.Buffer
	if err := SVG(&b, d); err != nil {
		t.Fatal(err)
	}
	r := xml.NewDecoder(&b)
	inText := false
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) {
			return im
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			attribute := map[string]string{}
			for _, a := range x.Attr {
				attribute[a.Name.Local] = a.Value
			}
			switch x.Name.Local {
			case "path":
				im.paths = append(im.paths, path{attribute["d"], attribute["style"]})
			case "text":
				inText = true
				im.texts = append(im.texts, "")
			}
		case xml.EndElement:
			inText = inText && x.Name.Local != "text"
		case xml.CharData:
			if inText {
				im.texts[len(im.texts)-1] += string(x)
			}
		}
	}
}

// with returns the paths whose style contains all of the words.
func (im image) with(words ...string) (list []path) {
	for _, p := range im.paths {
		all := true
		for _, w := range words {
			all = all && strings.Contains(p.style, w)
		}
		if all {
			list = append(list, p)
		}
	}
	return list
}

// says returns how many texts of the image equal the given text.
func (im image) says(text string) (n int) {
	for _, s := range im.texts {
		if s == text {
			n++
		}
	}
	return n
}
