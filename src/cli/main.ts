#!/usr/bin/env node
import { runCli } from './program';
import { processTerminal } from './terminal';

void runCli(process.argv.slice(2), processTerminal()).then((code) => {
  // Output may still be buffered on its way into a pipe.
  process.stdout.write('', () => process.exit(code));
});
