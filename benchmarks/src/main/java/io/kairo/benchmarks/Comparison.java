package io.kairo.benchmarks;

/**
 * What is measured beside what.
 *
 * @param name the call
 * @param anchorName what it is compared to
 * @param target the ratio to stay below
 * @param work the call
 * @param anchor what it is compared to
 */
record Comparison(String name, String anchorName, double target, Work work, Work anchor) {
}
