package models_test

import (
	"testing"

	"pushdown/models"
	"pushdown/models/celltest"
)

// TestCells checks every network as package celltest does: its gradient, its number of
// parameters, its planned run, and its bits on each kind of device.
func TestCells(t *testing.T) {
	celltest.Networks(t, models.All()...)
}
