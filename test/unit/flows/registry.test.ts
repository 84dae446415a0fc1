import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FLOW_NAMES } from '../../../src/domain/flowNames';
import * as workflows from '../../../workflows';

const README = readFileSync(resolve(__dirname, '../../../README.md'), 'utf8');

test.each(FLOW_NAMES)('%s is exported as a workflow and described in README.md', (name) => {
  expect(workflows).toHaveProperty(name, expect.any(Function));
  expect(README).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm'));
});
