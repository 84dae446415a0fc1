import { availableParallelism, loadavg } from 'node:os';

/** How busy the machine is with all that runs on it, to judge a measurement by: `1.8 on 2 cores`. */
export function machineLoad(): string {
  return `${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores`;
}
