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

// completeFactors offers FACTOR= and the levels that are measured by themselves.
func completeFactors(catalogue []harness.Experiment) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		var all []string
		for _, e := range catalogue {
			for _, f := range e.Describe().Factors {
				all = append(all, f.Name+"="+levelsOf(f)+"\t"+e.Name+": "+f.About)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
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
