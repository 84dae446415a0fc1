import { Command, InvalidArgumentError } from 'commander';

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** What is measured where no latency is given: none, and a usual one. */
const LATENCIES = [
  { meanMs: 0, jitterMs: 0 },
  { meanMs: 250, jitterMs: 50 },
];

const program = new Command('bench').description('Measures the budgets of the design; exit code 1 when one was missed');

program
  .command('limit')
  .description('share used of a strict limit, refusals, and how long urgent work waits behind bulk')
  .option('--count <n>', 'submissions', whole, 400)
  .option('--latency <ms>', 'mean latency before a request is counted; left out: 0, then 250 ± 50', whole)
  .option('--jitter <ms>', 'how far it strays to both sides', whole, 0)
  .action(async ({ count, latency, jitter }: { count: number; latency?: number; jitter: number }) => {
    const { benchLimit } = await import('./limit');
    const latencies = latency === undefined ? LATENCIES : [{ meanMs: latency, jitterMs: jitter }];
    conclude(await benchLimit({ count, latencies, say }));
  });

program
  .command('transfer')
  .description('transfers a second against bare workflows, and how soon a worker is ready')
  .option('--count <n>', 'flows in a round', whole, 200)
  .option('--rounds <n>', 'rounds of each', whole, 3)
  .action(async ({ count, rounds }: { count: number; rounds: number }) => {
    const { benchTransfer } = await import('./transfer');
    conclude(await benchTransfer({ count, rounds, say }));
  });

program
  .command('restart')
  .description('how soon an emulator is there again with what it has kept')
  .option('--count <n>', 'requests and controls that it has kept', whole, 5_000)
  .action(async ({ count }: { count: number }) => {
    const { benchRestart } = await import('./restart');
    conclude(await benchRestart({ count, say }));
  });

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number is needed.');
  return Number(text);
}

function conclude(kept: boolean): void {
  process.exitCode = kept ? 0 : 1;
}

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
