import { tokenId, walletId } from '../../../src/flows/fields';

test.each([
  ['wallet', walletId],
  ['token', tokenId],
])('the id of a %s in capitals is the id that the API shows', (_name, field) => {
  const id = '8f1c0b52-6f3c-4b9e-9c57-0d6e3b1a2c4d';
  expect(field.parse(id.toUpperCase())).toBe(id);
});
