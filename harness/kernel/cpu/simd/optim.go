package simd

// AdamScalars holds the constants of one Adam update, which are the same for all
// parameters. Each is rounded to float32 once. t is the number of the update and starts
// at 1.
type AdamScalars struct {
	LR         float32 // learning rate / (1 - beta1^t)
	InvC2      float32 // 1 / (1 - beta2^t)
	B1         float32 // beta1
	OneMinusB1 float32 // 1 - beta1
	B2         float32 // beta2
	OneMinusB2 float32 // 1 - beta2
	Eps        float32 // added to the root
}

// optimTable holds the update routines of one instruction set. They run on vectors of
// n elements that do not overlap.
type optimTable struct {
	// Sgd is one step of gradient descent; dw is the gradient. The product is
	// rounded before it is subtracted.
	//
	//	w[i] = w[i] - float32(lr * dw[i])
	Sgd func(w, dw *float32, lr float32, n int)

	// Adam is one update of Adam (Kingma and Ba 2015, algorithm 1, with the
	// correction of the first moment moved into the learning rate); dw is the
	// gradient. Each operation is rounded once; an FMA is one operation.
	//
	//	m[i] = FMA(B1, m[i], OneMinusB1*dw[i])
	//	v[i] = FMA(B2, v[i], (OneMinusB2*dw[i])*dw[i])
	//	w[i] = w[i] - (LR*m[i]) / (sqrt(v[i]*InvC2) + Eps)
	Adam func(w, m, v, dw *float32, n int, h *AdamScalars)
}
