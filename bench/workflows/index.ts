/** Workflows that only the benchmarks run, in a bundle of their own. */
export { bare } from './bare';
export { submit } from './submit';
