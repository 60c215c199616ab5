package models_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pushdown/models"
)

// TestAll checks that every type of the package with a Step method is a cell of a
// network in All, except Traced, which wraps another cell.
func TestAll(t *testing.T) {
	want := []string{"Traced"}
	var list func(cell models.Cell)
	list = func(cell models.Cell) {
		want = append(want, reflect.TypeOf(cell).Name())
		if layers, ok := cell.(models.Layers); ok {
			for _, c := range layers.Cells {
				list(c)
			}
		}
	}
	for _, n := range models.All() {
		switch n := n.Network.(type) {
		case *models.Model:
			list(n.Cell)
		case *models.Recognizer:
			list(n.Cell)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "Step" {
				have = append(have, strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*"))
			}
		}
	}
	slices.Sort(have)
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), have); diff != "" {
		t.Errorf("cells (-in All +in the package):\n%s", diff)
	}
}
