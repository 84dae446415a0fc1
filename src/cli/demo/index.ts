import { createLogger } from '../../logger';
import { EXIT, type ExitCode } from '../exitCodes';
import { type LocalStack, startStack } from '../local/stack';
import type { Terminal } from '../terminal';
import { createDemoEnvironment, type DemoEnvironment } from './demoEnvironment';
import { LANE_SCENARIOS, MORE_SCENARIOS, POLICIES, type Scenario, SCENARIOS } from './scenarios';
import { USER_SCENARIOS } from './userScenarios';

const ALL_SCENARIOS = [...SCENARIOS, ...MORE_SCENARIOS, ...LANE_SCENARIOS, ...USER_SCENARIOS];

/** Shows the scenarios, one after another, and how each ended. */
interface DemoDisplay {
  /** Runs before the first scenario. `progress` reports slow steps. */
  prepare(work: (progress: (line: string) => void) => Promise<void>): Promise<void>;
  /** @param work returns the line to show, or throws a `ScenarioFailure` whose message is that line */
  scenario(title: string, work: () => Promise<string>): Promise<void>;
}

/** A scenario did not end as expected. The message is the line to show. */
class ScenarioFailure extends Error {}

export async function run(terminal: Terminal, { all = false }: { all?: boolean }): Promise<ExitCode> {
  const scenarios = all ? ALL_SCENARIOS : SCENARIOS;
  let environment: DemoEnvironment | undefined;
  let stack: LocalStack | undefined;
  let failed = 0;
  const display = terminal.interactive ? await liveDisplay() : plainDisplay(terminal);
  try {
    await display.prepare(async (progress) => {
      const logger = createLogger({ level: terminal.debug ? 'debug' : 'silent' });
      stack = await startStack({ name: 'demo', logger, policies: POLICIES, progress });
      environment = await createDemoEnvironment(stack);
    });
    for (const scenario of scenarios) {
      await display.scenario(scenario.flow, () => runScenario(scenario, environment!)).catch(() => failed++);
    }
    terminal.out(await summary(environment!, scenarios));
  } finally {
    await stack?.close();
  }
  return failed > 0 ? EXIT.refused : EXIT.done;
}

/** `transfer/plain       completed  one transaction   2.1 s  30 events` */
async function runScenario(scenario: Scenario, environment: DemoEnvironment): Promise<string> {
  const startedAt = performance.now();
  const name = scenario.flow.padEnd(NAME_WIDTH);
  const result = await scenario.run(environment).catch((error: unknown) => {
    throw new ScenarioFailure(`${name}  ${error instanceof Error ? error.message : String(error)}`);
  });
  const { status, text, events } = result;
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const line = `${name}  ${status.padEnd(9)}  ${text}   ${seconds} s  ${events} events`;
  if (status !== scenario.expected) throw new ScenarioFailure(`${line}  (expected: ${scenario.expected})`);
  return line;
}

const NAME_WIDTH = Math.max(...ALL_SCENARIOS.map(({ flow }) => flow.length));

/** Counts the transactions in the API rather than trusting the scenarios. */
async function summary(environment: DemoEnvironment, scenarios: readonly Scenario[]): Promise<string> {
  // Two scenarios may show one flow.
  const byFlow = new Map(scenarios.map(({ flow, count = 1 }) => [flow, count]));
  const flows = [...byFlow.values()].reduce((sum, count) => sum + count, 0);
  const counts = [...(await environment.countTransactions()).values()];
  const transactions = counts.reduce((sum, count) => sum + count, 0);
  const twice = counts.filter((count) => count > 1).length;
  return `${flows} flows · ${transactions} transactions · ${twice} sent twice · next: npx walletflow dev`;
}

function plainDisplay({ out, err }: Terminal): DemoDisplay {
  return {
    prepare: (work) => work(err),
    async scenario(_title, work) {
      try {
        out(`✔ ${await work()}`);
      } catch (error) {
        out(`✖ ${(error as Error).message}`);
        throw error;
      }
    },
  };
}

/** For a terminal: also shows the scenario that is running. */
async function liveDisplay(): Promise<DemoDisplay> {
  const { Listr } = await import('listr2');
  return {
    prepare: (work) =>
      new Listr([
        {
          title: 'Temporal, the emulator and a worker',
          task: (_context, task) => work((line) => void (task.output = line)),
        },
      ]).run() as Promise<void>,
    scenario: (title, work) =>
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
