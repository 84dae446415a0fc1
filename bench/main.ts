import { Command, InvalidArgumentError } from 'commander';

const print = (line: string) => void process.stdout.write(`${line}\n`);

/** Latencies measured by default: none, and a usual one. */
const LATENCIES = [
  { meanMs: 0, jitterMs: 0 },
  { meanMs: 250, jitterMs: 50 },
];

const program = new Command('bench').description('Measure the performance budgets; exit code 1 if one was missed');

program
  .command('limit')
  .description('measure the used share of a strict limit, refused requests, and how long urgent work waits behind bulk')
  .option('--count <n>', 'number of submissions', wholeNumber, 400)
  .option('--latency <ms>', 'mean latency before a request is counted; default: 0, then 250 ± 50', wholeNumber)
  .option('--jitter <ms>', 'maximum deviation from the mean latency', wholeNumber, 0)
  .action(async ({ count, latency, jitter }: { count: number; latency?: number; jitter: number }) => {
    const { benchLimit } = await import('./limit');
    const latencies = latency === undefined ? LATENCIES : [{ meanMs: latency, jitterMs: jitter }];
    conclude(await benchLimit({ count, latencies, print }));
  });

program
  .command('transfer')
  .description('compare transfers per second with bare workflows, and measure how fast a worker is ready')
  .option('--count <n>', 'flows per round', wholeNumber, 200)
  .option('--rounds <n>', 'rounds of each kind', wholeNumber, 3)
  .action(async ({ count, rounds }: { count: number; rounds: number }) => {
    const { benchTransfer } = await import('./transfer');
    conclude(await benchTransfer({ count, rounds, print }));
  });

program
  .command('refusal')
  .description('count the requests of a transfer that succeeds, and of those that the API refuses')
  .option('--count <n>', 'transfers of each case', wholeNumber, 3)
  .action(async ({ count }: { count: number }) => {
    const { benchRefusal } = await import('./refusal');
    conclude(await benchRefusal({ count, print }));
  });

program
  .command('restart')
  .description('measure how fast an emulator restarts from its state file')
  .option('--count <n>', 'requests and controls in the state file', wholeNumber, 5_000)
  .action(async ({ count }: { count: number }) => {
    const { benchRestart } = await import('./restart');
    conclude(await benchRestart({ count, print }));
  });

program
  .command('sweep')
  .description('count the reads of a transfer with polls and with sweeps, and measure single sweeps')
  .option('--count <n>', 'transfers that are read', wholeNumber, 200)
  .option('--outstanding <n>', 'transactions that one sweep looks through', wholeNumber, 5_000)
  .action(async ({ count, outstanding }: { count: number; outstanding: number }) => {
    const { benchSweep } = await import('./sweep');
    conclude(await benchSweep({ count, outstanding, print }));
  });

program
  .command('webhooks')
  .description('measure how fast the gateway accepts a burst of webhooks for running flows')
  .option('--count <n>', 'flows, each with one webhook', wholeNumber, 1_000)
  .action(async ({ count }: { count: number }) => {
    const { benchWebhooks } = await import('./webhooks');
    conclude(await benchWebhooks({ count, print }));
  });

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Must be a whole number.');
  return Number(text);
}

function conclude(passed: boolean): void {
  process.exitCode = passed ? 0 : 1;
}

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
