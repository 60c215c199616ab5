package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

const objects = "../kubernetes.yaml"

// decode decodes a claim and a job, and refuses unknown and repeated fields.
func decode(text []byte) (*corev1.PersistentVolumeClaim, *batchv1.Job, error) {
	docs := bytes.Split(text, []byte("\n---\n"))
	if len(docs) != 2 {
		return nil, nil, fmt.Errorf("have %d objects, want a claim and a job", len(docs))
	}
	var claim corev1.PersistentVolumeClaim
	var job batchv1.Job
	if err := errors.Join(yaml.UnmarshalStrict(docs[0], &claim), yaml.UnmarshalStrict(docs[1], &job)); err != nil {
		return nil, nil, err
	}
	return &claim, &job, nil
}

// disagreements lists the parts of the objects that do not agree.
func disagreements(claim *corev1.PersistentVolumeClaim, job *batchv1.Job) (wrong []string) {
	equal := func(what string, have, want any) {
		if have != want {
			wrong = append(wrong, fmt.Sprintf("%s: have %v, want %v", what, have, want))
		}
	}
	equal("first object", claim.TypeMeta, metav1.TypeMeta{Kind: "PersistentVolumeClaim", APIVersion: "v1"})
	equal("second object", job.TypeMeta, metav1.TypeMeta{Kind: "Job", APIVersion: "batch/v1"})
	equal("accessModes have ReadWriteMany", slices.Contains(claim.Spec.AccessModes, corev1.ReadWriteMany), true)
	spec, pod := job.Spec, job.Spec.Template.Spec
	if spec.CompletionMode == nil || spec.Completions == nil || spec.Parallelism == nil || spec.PodReplacementPolicy == nil || spec.PodFailurePolicy == nil ||
		spec.BackoffLimitPerIndex == nil || spec.MaxFailedIndexes == nil || pod.TerminationGracePeriodSeconds == nil || len(pod.Containers) != 1 {
		return append(wrong, "job: a field is missing")
	}
	equal("completionMode", *spec.CompletionMode, batchv1.IndexedCompletion)
	equal("parallelism", *spec.Parallelism, *spec.Completions)
	equal("maxFailedIndexes", *spec.MaxFailedIndexes, *spec.Completions)
	equal("podReplacementPolicy", *spec.PodReplacementPolicy, batchv1.Failed)
	equal("restartPolicy", pod.RestartPolicy, corev1.RestartPolicyNever) // podFailurePolicy needs it
	tests := pod.Containers[0]
	env := map[string]string{}
	for _, v := range tests.Env {
		env[v.Name] = v.Value
	}
	equal("PARTS", env["PARTS"], fmt.Sprint(*spec.Completions))
	equal("workingDir", path.Dir(tests.WorkingDir), "/pushdown/suites")
	if len(tests.Args) == 0 {
		return append(wrong, "args: have none, want the tests of the suite")
	}
	equal("args", tests.Args[0], "../../"+path.Base(tests.WorkingDir)+".test")
	if _, err := os.Stat(filepath.Join("../../../suites", path.Base(tests.WorkingDir))); err != nil {
		wrong = append(wrong, err.Error())
	}

	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
		if v.PersistentVolumeClaim == nil {
			wrong = append(wrong, fmt.Sprintf("volume %s: have no claim, want one", v.Name))
		} else {
			equal("claimName", v.PersistentVolumeClaim.ClaimName, claim.Name)
		}
	}
	mounted := false
	for _, m := range tests.VolumeMounts {
		equal("volume "+m.Name, volumes[m.Name], true)
		mounted = mounted || m.MountPath == env["PUSHDOWN_STATE"]
	}
	equal("a volume at "+env["PUSHDOWN_STATE"], mounted, true)

	action := map[int32]batchv1.PodFailurePolicyAction{} // the first rule that matches counts
	disruptions := false
	for i, r := range spec.PodFailurePolicy.Rules {
		for _, c := range r.OnPodConditions {
			disruptions = disruptions || i == 0 && c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && r.Action == batchv1.PodFailurePolicyActionIgnore
		}
		if r.OnExitCodes == nil {
			continue
		}
		equal("operator", r.OnExitCodes.Operator, batchv1.PodFailurePolicyOnExitCodesOpIn)
		if name := r.OnExitCodes.ContainerName; name == nil || *name != tests.Name {
			wrong = append(wrong, fmt.Sprintf("containerName: have another, want %s", tests.Name))
		}
		for _, code := range r.OnExitCodes.Values {
			if action[code] == "" {
				action[code] = r.Action
			}
		}
	}
	equal("the first rule ignores disruptions", disruptions, true)
	for code, want := range map[int32]batchv1.PodFailurePolicyAction{75: batchv1.PodFailurePolicyActionIgnore, 1: batchv1.PodFailurePolicyActionFailIndex, 137: ""} {
		equal(fmt.Sprintf("action for status %d", code), action[code], want)
	}
	slices.Sort(wrong)
	return wrong
}

func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile(objects)
	if err != nil {
		t.Fatal(err)
	}
	claim, job, err := decode(text)
	if err != nil {
		t.Fatalf("%s: %v", objects, err)
	}
	for _, w := range disagreements(claim, job) {
		t.Errorf("%s: %s", objects, w)
	}
}

// TestFaultsAreFound checks that the check finds faults that a change of the file can make.
func TestFaultsAreFound(t *testing.T) {
	text, err := os.ReadFile(objects)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"completions: 16", "completion: 16", `unknown field "completion"`},
		{"parallelism: 16", "parallelism: 16\n  parallelism: 16", "parallelism"},
		{"backoffLimitPerIndex: 6", "backoffLimitPerIndex: six", "cannot unmarshal"},
		{"completions: 16", "completions: 8", "PARTS: have 16, want 8"},
		{"claimName: pushdown-state", "claimName: state", "claimName: have state, want pushdown-state"},
		{"- name: state\n              mountPath", "- name: data\n              mountPath", "volume data"},
		{"mountPath: /state", "mountPath: /data", "a volume at /state"},
		{"suites/dyck", "suites/recognition", "args: have ../../dyck.test, want ../../recognition.test"},
		{"suites/dyck", "suites/duck", "suites/duck"},
		{"containerName: tests", "containerName: test", "containerName"},
		{"values: [75, 143]", "values: [143]", "action for status 75"},
		{"values: [1, 2]", "values: [2]", "action for status 1"},
		{"type: DisruptionTarget", "type: Ready", "the first rule ignores disruptions"},
		{"restartPolicy: Never", "restartPolicy: OnFailure", "restartPolicy"},
		{"[ReadWriteMany]", "[ReadWriteOnce]", "ReadWriteMany"},
		{"kind: Job", "kind: CronJob", "second object"},
		{"\n---\n", "\n", "objects"},
	} {
		changed := bytes.Replace(text, []byte(c.old), []byte(c.new), 1)
		if bytes.Equal(changed, text) {
			t.Errorf("%s: does not have %q", objects, c.old)
			continue
		}
		claim, job, err := decode(changed)
		have := fmt.Sprint(err)
		if err == nil {
			have = strings.Join(disagreements(claim, job), "\n")
		}
		if !strings.Contains(have, c.want) {
			t.Errorf("with %q: have %q, want %q", c.new, have, c.want)
		}
	}
}

// TestWorkflows runs actionlint on all workflows.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../../../.github/workflows/*.yml")
	if err != nil || len(files) < 3 {
		t.Fatalf("have %d workflows (%v), want at least three", len(files), err)
	}
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	faults, err := linter.LintFiles(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Error(f)
	}
	if faults, err := linter.Lint("x.yml", []byte("on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: echo ${{ matrix.a }}\n"), nil); err != nil || len(faults) == 0 {
		t.Errorf("a workflow with a fault: have no fault (%v), want one", err)
	}
}
