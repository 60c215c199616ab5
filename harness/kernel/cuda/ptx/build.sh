#!/bin/sh
# Compiles the kernels named, or all, to PTX: sh build.sh [name.cu ...]
# clang alone is needed, no CUDA toolkit. Contracting products and sums would give
# other bits than the contract's, and so would flushing subnormals.
set -e
[ $# -gt 0 ] || set -- *.cu
for f; do
	clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O3 -ffp-contract=off \
		-fno-cuda-flush-denormals-to-zero -Wno-cuda-compat -S "$f" -o "${f%.cu}.ptx"
done
