package ptxemu

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits that a kernel must observe to run on every GPU.
const (
	maxRegisters = 1 << 16
	maxShared    = 48 << 10 // bytes of shared memory, without opting in to more
	maxParams    = 4096     // bytes of parameters
	maxThreads   = 1024     // threads of a block
)

// symbol is a parameter or a variable in shared memory.
type symbol struct {
	name    string
	typ     typ
	at, len int // address and size, in bytes
}

// source is a kernel before it is decoded.
type source struct {
	k         *Kernel
	registers map[string]register
	counts    int // number of registers
	shared    []symbol
	labels    map[string]int // index of the statement after the label
	list      []statement
}

// register is a declared register.
type register struct {
	typ    typ
	number int
}

// kernel parses and decodes a kernel.
func (p *parser) kernel() (*Kernel, error) {
	if err := p.word(".visible"); err != nil {
		return nil, err
	}
	if err := p.word(".entry"); err != nil {
		return nil, err
	}
	k := &Kernel{}
	var err error
	if k.Name, err = p.take(tokenWord, "the name of a kernel"); err != nil {
		return nil, err
	}
	if err := p.params(k); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	src := &source{k: k, registers: map[string]register{}, labels: map[string]int{}}
	if err := p.body(src); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	if err := src.decode(); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	return k, nil
}

func (p *parser) params(k *Kernel) error {
	if err := p.all("("); err != nil {
		return err
	}
	for p.tok.kind != ')' {
		if len(k.params) > 0 {
			if err := p.all(","); err != nil {
				return err
			}
		}
		if err := p.word(".param"); err != nil {
			return err
		}
		t, err := p.typ()
		if err != nil {
			return err
		}
		line := p.tok.line
		name, err := p.take(tokenWord, "the name of a parameter")
		if err != nil {
			return err
		}
		if find(k.params, name) != nil {
			return fmt.Errorf("line %d: parameter %s is declared twice", line, name)
		}
		size := t.size()
		if size < 4 {
			return fmt.Errorf("line %d: parameter %s of type %v, want one of 32 or 64 bits", line, name, t)
		}
		at := (k.ParamBytes + size - 1) / size * size
		k.params = append(k.params, symbol{name, t, at, size})
		if k.ParamBytes = at + size; k.ParamBytes > maxParams {
			return fmt.Errorf("line %d: parameters of %d bytes, want at most %d", line, k.ParamBytes, maxParams)
		}
	}
	return p.all(")")
}

// typ consumes a type.
func (p *parser) typ() (typ, error) {
	line := p.tok.line
	text, err := p.take(tokenWord, "a type")
	if err != nil {
		return 0, err
	}
	t, ok := typeOf(strings.TrimPrefix(text, "."))
	if !ok || text[0] != '.' {
		return 0, fmt.Errorf("line %d: type %s, want one of %s", line, text, strings.Join(typeNames[:], " "))
	}
	return t, nil
}

// find returns the symbol with the given name, or nil if there is none.
func find(list []symbol, name string) *symbol {
	for i := range list {
		if list[i].name == name {
			return &list[i]
		}
	}
	return nil
}

// body parses the directives after the parameters and the statements in braces.
func (p *parser) body(src *source) error {
	for p.tok.kind != '{' {
		line := p.tok.line
		name, err := p.take(tokenWord, "{")
		if err != nil {
			return err
		}
		switch name {
		case ".maxntid":
			threads := int64(1)
			for i := range 3 {
				if i > 0 && p.tok.kind != ',' {
					break
				} else if i > 0 {
					if err := p.advance(); err != nil {
						return err
					}
				}
				n, err := p.integer("extent of a block", 1, maxThreads)
				if err != nil {
					return err
				}
				threads *= n
			}
			if threads > maxThreads {
				return fmt.Errorf("line %d: blocks of %d threads, want at most %d", line, threads, maxThreads)
			}
			src.k.MaxThreads = int(threads)
		case ".minnctapersm":
			if _, err := p.integer("blocks of a multiprocessor", 1, 64); err != nil {
				return err
			}
		default:
			return fmt.Errorf("line %d: %s, want {", line, name)
		}
	}
	if err := p.all("{"); err != nil {
		return err
	}
	for p.tok.kind != '}' {
		if err := p.statement(src); err != nil {
			return err
		}
	}
	return p.all("}")
}

func (p *parser) statement(src *source) error {
	st := statement{line: p.tok.line}
	if p.tok.kind == '@' {
		if err := p.advance(); err != nil {
			return err
		}
		if p.tok.kind == '!' {
			st.negated = true
			if err := p.advance(); err != nil {
				return err
			}
		}
		var err error
		if st.guard, err = p.take(tokenWord, "a predicate"); err != nil {
			return err
		}
	}
	var err error
	if st.opcode, err = p.take(tokenWord, "an instruction"); err != nil {
		return err
	}
	if st.guard == "" {
		switch {
		case p.tok.kind == ':':
			if _, twice := src.labels[st.opcode]; twice {
				return fmt.Errorf("line %d: label %s is declared twice", st.line, st.opcode)
			}
			src.labels[st.opcode] = len(src.list)
			return p.advance()
		case st.opcode == ".reg":
			return p.declare(src)
		case st.opcode == ".shared":
			return p.variable(src)
		case st.opcode == ".pragma":
			if p.tok.text != `"nounroll"` {
				return p.unexpected(`"nounroll"`)
			}
			return p.all("\";")
		}
	}
	for p.tok.kind != ';' {
		if len(st.operands) > 0 {
			if err := p.all(","); err != nil {
				return err
			}
		}
		o, err := p.operand()
		if err != nil {
			return err
		}
		st.operands = append(st.operands, o)
	}
	src.list = append(src.list, st)
	return p.advance()
}

// declare parses the rest of a declaration of registers, such as .reg .f32 %f<12>;
func (p *parser) declare(src *source) error {
	t, err := p.typ()
	if err != nil {
		return err
	}
	line := p.tok.line
	name, err := p.take(tokenWord, "the name of registers")
	if err != nil {
		return err
	}
	if err := p.all("<"); err != nil {
		return err
	}
	n, err := p.integer("number of registers", 1, maxRegisters)
	if err != nil {
		return err
	}
	if err := p.all(">;"); err != nil {
		return err
	}
	if name[0] != '%' || src.counts+int(n) > maxRegisters {
		return fmt.Errorf("line %d: registers %s<%d> after %d others, want a name with %% and at most %d in all", line, name, n, src.counts, maxRegisters)
	}
	for i := range int(n) {
		full := name + strconv.Itoa(i)
		if _, twice := src.registers[full]; twice || specialOf(full) >= 0 {
			return fmt.Errorf("line %d: register %s is declared twice", line, full)
		}
		src.registers[full] = register{t, src.counts}
		src.counts++
	}
	return nil
}

// variable parses the rest of a declaration of a variable in shared memory, such as
// .shared .align 16 .b8 name[4096];
func (p *parser) variable(src *source) error {
	if err := p.word(".align"); err != nil {
		return err
	}
	line := p.tok.line
	align, err := p.integer("alignment", 4, 128)
	if err != nil {
		return err
	}
	if align&(align-1) != 0 {
		return fmt.Errorf("line %d: alignment %d, want a power of two", line, align)
	}
	if err := p.word(".b8"); err != nil {
		return err
	}
	name, err := p.take(tokenWord, "the name of a variable")
	if err != nil {
		return err
	}
	if err := p.all("["); err != nil {
		return err
	}
	n, err := p.integer("size of a variable", 4, maxShared)
	if err != nil {
		return err
	}
	if err := p.all("];"); err != nil {
		return err
	}
	if find(src.shared, name) != nil || n%4 != 0 {
		return fmt.Errorf("line %d: variable %s of %d bytes, want a new name and whole words", line, name, n)
	}
	src.shared = append(src.shared, symbol{name: name, at: int(align), len: int(n)})
	total := 0
	for _, s := range src.shared {
		total += s.len
	}
	if total > maxShared {
		return fmt.Errorf("line %d: %d bytes of shared memory, want at most %d", line, total, maxShared)
	}
	return nil
}
