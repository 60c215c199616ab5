// A stand-in for the translator of PTX: something to be found.
int MARK(void) { return 0; }
