import { parseFlowRef } from '../../../src/cli/flowRef';

test('flow and ref are told apart', () => {
  expect(parseFlowRef('transfer/inv-42')).toEqual({ flow: 'transfer', ref: 'inv-42' });
});

/** [text, what is said of it] */
const WRONG: [text: string, says: RegExp][] = [
  ['transfer', /^flow\/ref: "transfer" is not of this form; write transfer\/inv-42$/],
  ['/inv-42', /^flow\/ref: /],
  ['transfers/inv-42', /^flow: there is no flow "transfers"; choose one of transfer, fundTestnet, signPayload$/],
  ['transfer/', /^ref: .*0 characters/],
  ['transfer/a/b', /^ref: /],
];

test.each(WRONG)('%s is refused', (text, says) => {
  expect(() => parseFlowRef(text)).toThrow(says);
});
