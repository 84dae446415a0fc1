#!/usr/bin/env node
import { runCli } from './program';
import { processTerminal } from './terminal';

void runCli(process.argv.slice(2), processTerminal()).then((code) => {
  // What has been written may still be on its way into a pipe.
  process.stdout.write('', () => process.exit(code));
});
