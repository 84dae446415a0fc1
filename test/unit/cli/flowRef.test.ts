import { parseFlowRef } from '../../../src/cli/flowRef';
import { FLOW_NAMES } from '../../../src/domain/flowNames';

test('flow and ref are split at the first slash', () => {
  expect(parseFlowRef('transfer/inv-42')).toEqual({ flow: 'transfer', ref: 'inv-42' });
});

/** [text, error message] */
const INVALID: [text: string, message: RegExp][] = [
  ['transfer', /^flow\/ref: "transfer" is not a flow and a ref; write them as transfer\/inv-42$/],
  ['/inv-42', /^flow\/ref: /],
  ['transfers/inv-42', new RegExp(`^flow: there is no flow "transfers"; choose one of ${FLOW_NAMES.join(', ')}$`)],
  ['transfer/', /^ref: .*0 characters/],
  ['transfer/a/b', /^ref: /],
  ['acme/transfer/inv-42', /^flow\/ref: is the id of a workflow; leave out the entity: transfer\/inv-42$/],
];

test.each(INVALID)('%s is rejected', (text, message) => {
  expect(() => parseFlowRef(text)).toThrow(message);
});
