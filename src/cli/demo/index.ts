import { createLogger } from '../../logger';
import { EXIT, type ExitCode } from '../exitCodes';
import { type LocalStack, startStack } from '../local/stack';
import type { Terminal } from '../terminal';
import { type Act, ACTS, MORE_ACTS, POLICIES } from './acts';
import { setStage, type Stage } from './stage';
import { USER_ACTS } from './userActs';

const ALL_ACTS = [...ACTS, ...MORE_ACTS, ...USER_ACTS];

/** Plays acts one after the other and shows how each ended. */
interface Playbill {
  /** Before the first act; `progress` shows what takes its time. */
  prepare(work: (progress: (line: string) => void) => Promise<void>): Promise<void>;
  /** @param work returns the line to show; throws an `ActFailure` with the line to show when it went wrong */
  act(title: string, work: () => Promise<string>): Promise<void>;
}

/** An act did not end as it has to; the message is its line. */
class ActFailure extends Error {}

export async function run(terminal: Terminal, { all = false }: { all?: boolean }): Promise<ExitCode> {
  const acts = all ? ALL_ACTS : ACTS;
  let stage: Stage | undefined;
  let stack: LocalStack | undefined;
  let failed = 0;
  const playbill = terminal.interactive ? await changingLines() : plainLines(terminal);
  try {
    await playbill.prepare(async (progress) => {
      const logger = createLogger({ level: terminal.debug ? 'debug' : 'silent' });
      stack = await startStack({ name: 'demo', logger, policies: POLICIES, progress });
      stage = await setStage(stack);
    });
    for (const act of acts) {
      await playbill.act(act.flow, () => play(act, stage!)).catch(() => failed++);
    }
    terminal.out(await summary(stage!, acts));
  } finally {
    await stack?.close();
  }
  return failed > 0 ? EXIT.refused : EXIT.done;
}

/** `transfer/plain       completed  one transaction   2.1 s  30 events` */
async function play(act: Act, stage: Stage): Promise<string> {
  const begun = performance.now();
  const name = act.flow.padEnd(NAME_WIDTH);
  const ending = await act.play(stage).catch((error: unknown) => {
    throw new ActFailure(`${name}  ${error instanceof Error ? error.message : String(error)}`);
  });
  const { word, text, events } = ending;
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const line = `${name}  ${word.padEnd(9)}  ${text}   ${seconds} s  ${events} events`;
  if (word !== act.ends) throw new ActFailure(`${line}  (expected: ${act.ends})`);
  return line;
}

const NAME_WIDTH = Math.max(...ALL_ACTS.map(({ flow }) => flow.length));

/** Counted from what the API has, not from what the acts say. */
async function summary(stage: Stage, acts: readonly Act[]): Promise<string> {
  const flows = new Set(acts.map(({ flow }) => flow)).size;
  const counts = [...(await stage.countTransactions()).values()];
  const transactions = counts.reduce((sum, count) => sum + count, 0);
  const twice = counts.filter((count) => count > 1).length;
  return `${flows} flows · ${transactions} transactions · ${twice} sent twice · next: npx walletflow dev`;
}

function plainLines({ out, err }: Terminal): Playbill {
  return {
    prepare: (work) => work(err),
    async act(_title, work) {
      try {
        out(`✔ ${await work()}`);
      } catch (error) {
        out(`✖ ${(error as Error).message}`);
        throw error;
      }
    },
  };
}

/** For a person who watches: what runs right now is shown too. */
async function changingLines(): Promise<Playbill> {
  const { Listr } = await import('listr2');
  return {
    prepare: (work) =>
      new Listr([
        {
          title: 'Temporal, the emulator and a worker',
          task: (_context, task) => work((line) => void (task.output = line)),
        },
      ]).run() as Promise<void>,
    act: (title, work) =>
      new Listr([
        {
          title,
          task: async (_context, task) => {
            task.title = await work();
          },
        },
      ]).run() as Promise<void>,
  };
}
