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

// points counts the places of the path.
func (p path) points() int { return strings.Count(p.data, ",") }

// shapes counts the closed shapes of the path.
func (p path) shapes() int { return strings.Count(p.data, "Z") }

// An image is what an SVG shows.
type image struct {
	paths []path
	texts []string
}

// svg draws a figure and reads it again.
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

// with lists the paths whose style has all of the words.
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

// says counts a text.
func (im image) says(text string) (n int) {
	for _, s := range im.texts {
		if s == text {
			n++
		}
	}
	return n
}
