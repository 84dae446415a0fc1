import { availableParallelism, loadavg } from 'node:os';

/** The load of the machine, for judging a measurement: `1.8 on 2 cores`. */
export function machineLoad(): string {
  return `${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`;
}
