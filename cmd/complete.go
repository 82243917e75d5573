package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/syncwrite/syncwrite/harness"
)

// completeNames offers what run can be told to measure: suites, experiments and,
// behind a slash, their variants.
func completeNames(catalogue []harness.Experiment) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var all []string
		for _, s := range suites(catalogue) {
			all = append(all, s.Name+"\t"+s.About)
		}
		for _, e := range catalogue {
			if strings.HasPrefix(typed, e.Name+"/") {
				all = append(all, qualified(e)...)
			}
			all = append(all, e.Name+"\t"+e.Question)
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFactors offers FACTOR= and the levels that are measured by themselves, of what was
// named so far; of all experiments where that is nothing that there is.
func completeFactors(catalogue []harness.Experiment) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var all []string
		for _, e := range named(catalogue, args) {
			for _, f := range e.Describe().Factors {
				all = append(all, f.Name+"="+levelsOf(f)+"\t"+e.Name+": "+f.About)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// named are the experiments that arguments name so far, or all.
func named(catalogue []harness.Experiment, args []string) []harness.Experiment {
	if s, err := suite(catalogue, args); err == nil && s != nil {
		return s.Experiments
	}
	if chosen, err := choose(catalogue, args); err == nil && len(args) > 0 {
		return chosen
	}
	return catalogue
}

// completeWords offers one of a few words.
func completeWords(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completes panics if a flag that is to be completed does not exist.
func completes(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}
