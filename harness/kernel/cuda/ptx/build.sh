#!/bin/sh
# Compiles the named kernels, or all kernels, to PTX: sh build.sh [name.cu ...]
# It needs clang but no CUDA toolkit. Contracting products and sums into FMAs, or
# flushing subnormals, would change the bits, so both are off.
set -e
export LC_ALL=C
unset CDPATH # cd would look in other folders first, and print
[ $# -gt 0 ] || set -- *.cu
for f; do
	[ -f "$f" ] || { echo "build.sh: have $f, want names of kernels such as $(ls *.cu | head -n 1)" >&2; exit 2; }
done
for f; do
	clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -O3 -ffp-contract=off \
		-fno-cuda-flush-denormals-to-zero -Wno-cuda-compat -S "$f" -o "${f%.cu}.ptx"
done
