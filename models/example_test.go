package models_test

import (
	"fmt"

	"pushdown/harness/stepgraph"
	"pushdown/models"
)

// This example shows that the Dyck-RNN has five trained parameters for two types of
// brackets, at any depth.
func ExampleDyckRNN() {
	for _, m := range []int{4, 8} {
		model, err := models.DyckRNN(m, 2)
		if err != nil {
			fmt.Println(err)
			return
		}
		graph, err := model.Build(stepgraph.Config{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(model.Name, "trains", graph.CountParams(), "numbers")
	}
	// Output:
	// dyckrnn m=4 k=2 trains 5 numbers
	// dyckrnn m=8 k=2 trains 5 numbers
}

// This example prints the step graph of a model, one line for each node: its
// number, shape, domain and operation.
func ExampleModel_Build() {
	model, err := models.LanguageModel(models.RNN{Hidden: 12}, 7, 30)
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, err := model.Build(stepgraph.Config{Training: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(graph.Format())
	// Output:
	// %0   7x30       static           E
	// %1   Bx1        step             token
	// %2   Bx30       step             gather %0 %1
	// %3   30x12      static           W_x
	// %4   12x12      static           W_h
	// %5   1x12       static           b
	// %6   Bx12       step             h
	// %7   Bx12       step             matmul{0,0} %2 %3
	// %8   Bx12       step             addrow %7 %5
	// %9   Bx12       step             matmul{0,0} %6 %4
	// %10  Bx12       step             add %8 %9
	// %11  Bx12       step             tanh %10
	// %12  12x7       static           W_o
	// %13  1x7        static           b_o
	// %14  Ex1        example          pick
	// %15  Ex12       example          gatherrows %11 %14
	// %16  Ex7        example          matmul{0,0} %15 %12
	// %17  Ex7        example          addrow %16 %13
	// %18  Ex1        example          target
	// %19  Ex1        example          crossentropy %17 %18
}

// This example finds the largest LSTM with one layer within a budget of 4.5 million
// parameters.
func ExampleModel_Count() {
	h, n := 0, 0
	for {
		model, err := models.LanguageModel(models.LSTM{Hidden: h + 1}, 50, 128)
		if err != nil {
			fmt.Println(err)
			return
		}
		if model.Count() > 4_500_000 {
			break
		}
		h, n = h+1, model.Count()
	}
	fmt.Println(h, n)
	// Output: 991 4495680
}

// This example lists the parameters of the two-layer mmLSTM of the paper resurgence
// on characters.
func ExampleLayers() {
	cell := models.Layers{Cells: []models.Cell{models.MMLSTM{Hidden: 345}, models.MMLSTM{Hidden: 345}}}
	model, err := models.LanguageModel(cell, 50, 128)
	if err != nil {
		fmt.Println(err)
		return
	}
	graph, err := model.Build(stepgraph.Config{Training: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range graph.Params {
		fmt.Printf("%-10s %dx%d\n", p.Name, p.Rows, p.Cols)
	}
	// Output:
	// E          50x128
	// layer1.W_x 128x1396
	// layer1.W_h 345x5536
	// layer1.W_v 4x16
	// layer1.b   1x1380
	// layer2.W_x 345x1396
	// layer2.W_h 345x5536
	// layer2.W_v 4x16
	// layer2.b   1x1380
	// W_o        345x50
	// b_o        1x50
}
