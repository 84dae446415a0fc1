/** Workflows of the benchmarks, in their own bundle. */
export { bare } from './bare';
export { submit } from './submit';
