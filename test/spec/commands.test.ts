import { runCli } from '../../src/cli/program';
import { commandProblem, commandsByName, namedProblem, optionsProblem } from '../support/commandProblems';
import { codeBlocks, documents, readDocument } from '../support/documents';
import { shellCommands } from '../support/shellCommands';
import { testTerminal } from '../unit/cli/terminal';

/** Checks the commands of the documents against the definitions of the CLI, the scripts and the inputs of flows. */

/** `<document>:<line> <command>: <problem>` of each wrong command in the shell blocks of a document. */
function shellProblems(file: string, text?: string): string[] {
  const blocks = codeBlocks(file, text).filter(({ language }) => language === 'sh');
  return shellCommands(blocks).flatMap(({ at, words, stdin }) => {
    const problem = commandProblem(words, stdin);
    return problem === undefined ? [] : [`${at} ${words.join(' ')}: ${problem}`];
  });
}

const FENCED = /^```\w+\n[^]*?^```$/gm;
/** Commands inside prose and outputs: `walletflow …`, `npm …`, `npx …`. */
const COMMAND = /(?<![\w./-])(?:walletflow|npx|npm|node) [^`&|;]+/g;

/** `<document> <command>: <problem>` of each wrong command that prose, a table or an output names. */
function proseProblems(file: string, text = readDocument(file)): string[] {
  const spans = [...text.replace(FENCED, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.replace(/\s+/g, ' '));
  const outputs = codeBlocks(file, text)
    .filter(({ language }) => language === 'text')
    .flatMap(({ code }) => code.split(/\n| {2,}/))
    .filter((part) => part.includes('npx walletflow'));
  return [...spans, ...outputs]
    .flatMap((code) => code.match(COMMAND) ?? [])
    .flatMap((command) => {
      const problem = namedProblem(command.trim().split(' '));
      return problem === undefined ? [] : [`${file} ${command.trim()}: ${problem}`];
    });
}

test.each(documents())('%s names only commands, options, inputs, scripts and files that exist', (file) => {
  expect([...shellProblems(file), ...proseProblems(file)]).toEqual([]);
});

test('the table of README.md lists every command, with options that it has', async () => {
  const rows = readDocument('README.md').matchAll(/^\| `((?:\\\||[^`|])+)` +\| (.+) \|$/gm);
  const section = readDocument('README.md').split('\n## Commands\n')[1]!.split('\n## ')[0]!;
  const listed = [...rows].filter(([row]) => section.includes(row));
  const commands = commandsByName();
  const names = listed.map(([, cell = '']) => /^[a-z-]+(?: [a-z-]+(?=$| ))?/.exec(cell)![0]);

  expect([...names].sort()).toEqual([...commands.keys()].sort());
  const wrong = listed.map(([row], index) =>
    optionsProblem(commands.get(names[index]!)!, row.match(/--[a-z-]+/g) ?? []),
  );
  expect(wrong.filter(Boolean)).toEqual([]);
  for (const name of names) expect(await runCli([...name.split(' '), '--help'], testTerminal())).toBe(0);
});

describe('a wrong command is reported', () => {
  test.each([
    ['npx walletflow decid transfer/a retry', "unknown command 'decid'"],
    ['npx walletflow list --lost', "unknown option '--lost'"],
    ['npx walletflow status', 'missing required argument'],
    ['npx walletflow status transfers/a', 'there is no flow "transfers"'],
    ['npx walletflow start transfers --input -', 'there is no flow transfers'],
    [`echo '{"userId": "u", "action": "move"}' | npx walletflow start changePin --ref a --input -`, 'action'],
    ['docker compose exec worker node dist/src/cli/main.js entity register', "unknown command 'register'"],
    ['npm run no-such-script', 'npm has no script no-such-script'],
    ['npm run bench -- limit --burst 3', 'bench limit has no option --burst'],
    ['npm ci --prefix nowhere', 'nowhere is not a package'],
    ['npx jest test/nowhere.test.ts', 'there is no test/nowhere.test.ts'],
    ['node examples/backend/dist/nowhere.js', 'there is no examples/backend/dist/nowhere.js'],
    ['yarn install', 'yarn is not a command that the tests know'],
  ])('in a terminal: %s', (line, problem) => {
    expect(shellProblems('a.md', `\`\`\`sh\n${line}\n\`\`\`\n`)).toEqual([expect.stringContaining(problem)]);
  });

  test('as is a block that bash cannot parse or run', () => {
    expect(() => shellProblems('a.md', '```sh\nnpx walletflow list )\n```')).toThrow(
      /a.md: bash ended with 2: .*syntax error/,
    );
    expect(() => shellProblems('a.md', '```sh\ncd src && npx walletflow dev\n```')).toThrow(/src: No such file/);
  });

  test.each([
    ['run `walletflow wait`', 'walletflow has no command wait'],
    ['`npx walletflow\ndev --speed 10`', 'dev has no option --speed'],
    ['`npm run build && npx walletflow events drop`', 'walletflow has no command events drop'],
    ['```text\nok   next: npx walletflow start-all\n```', 'walletflow has no command start-all'],
    ['`npm run fuz`', 'npm has no script fuz'],
  ])('in prose: %j', (text, problem) => {
    expect(proseProblems('a.md', text)).toEqual([expect.stringContaining(problem)]);
  });
});
