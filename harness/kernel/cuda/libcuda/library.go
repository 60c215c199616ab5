//go:build linux && (amd64 || arm64) && !purego

package libcuda

import (
	"fmt"
	"path/filepath"

	"github.com/ebitengine/purego"
)

// soname is the name of the driver library.
const soname = "libcuda.so.1"

// folders are searched for the library if the dynamic loader does not find it.
var folders = []string{
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
	"/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib",
}

// compiler is the library that compiles PTX. The driver library loads it by this name.
const compiler = "libnvidia-ptxjitcompiler.so.1"

// libraryNames returns the names to try for loading the driver library.
func libraryNames() []string {
	list := []string{soname}
	for _, f := range folders {
		list = append(list, filepath.Join(f, soname))
	}
	return list
}

// symbol stands for a function of the library. It is an index in symbols.
type symbol int

const (
	cuInit symbol = iota
	cuDriverGetVersion
	cuGetErrorName
	cuGetErrorString
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceGetAttribute
	cuDevicePrimaryCtxRetain
	cuDevicePrimaryCtxRelease
	cuCtxSetCurrent
	cuCtxSynchronize
	cuModuleLoadDataEx
	cuModuleGetFunction
	cuModuleUnload
	cuFuncGetAttribute
	cuMemAlloc
	cuMemFree
	cuMemGetInfo
	cuMemcpyHtoD
	cuMemcpyDtoH
	cuMemsetD32
	cuLaunchKernel
	cuStreamSynchronize
	cuMemHostAlloc
	cuMemFreeHost
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuGraphCreate
	cuGraphAddKernelNode
	cuGraphDestroy
	cuGraphLaunch
	cuGraphExecDestroy
	cuGraphInstantiate // an old driver may lack this function; all functions above are required
	numSymbols
)

// symbols are the names of the functions in the library. The suffix _v2 selects the
// version whose parameters this package passes.
var symbols = [numSymbols]string{
	"cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString",
	"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute",
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent", "cuCtxSynchronize",
	"cuModuleLoadDataEx", "cuModuleGetFunction", "cuModuleUnload", "cuFuncGetAttribute",
	"cuMemAlloc_v2", "cuMemFree_v2", "cuMemGetInfo_v2", "cuMemcpyHtoD_v2", "cuMemcpyDtoH_v2", "cuMemsetD32_v2",
	"cuLaunchKernel", "cuStreamSynchronize",
	"cuMemHostAlloc", "cuMemFreeHost", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
	"cuGraphCreate", "cuGraphAddKernelNode", "cuGraphDestroy", "cuGraphLaunch", "cuGraphExecDestroy", "cuGraphInstantiateWithFlags",
}

// library is the loaded driver library.
type library struct {
	path string
	fn   [numSymbols]uintptr
}

// load tries the library names in order and loads the first that exists.
func load(names []string) (*library, error) {
	var faults []string
	for _, name := range names {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		loadCompiler(filepath.Dir(name))
		l := &library{path: name}
		for i, s := range symbols {
			if l.fn[i], err = purego.Dlsym(handle, s); err != nil && symbol(i) < cuGraphInstantiate {
				return nil, fmt.Errorf("%s has no function %s: need a driver of version %s or later", name, s, versionText(oldestDriver))
			}
		}
		return l, nil
	}
	return nil, fmt.Errorf("no %s, which NVIDIA's driver brings: need that driver installed, or PUSHDOWN_DEVICE=cpu (%s)", soname, faults[0])
}

// loadCompiler tries to load the PTX compiler by its name alone, then from the folder of the
// driver library, and then from each of folders. The argument beside is the folder of the
// driver library. If there is no compiler, the driver returns an error when it loads a module.
func loadCompiler(beside string) {
	for _, dir := range append([]string{"", beside}, folders...) {
		if _, err := purego.Dlopen(filepath.Join(dir, compiler), purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			return
		}
	}
}

// versionText returns a version in the usual form: 11.0 for 11000.
func versionText(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }
