import { closeOwnEmulator } from '../../support/emulator';
import { Chain } from '../chain/support';
import { DESERVED } from '.';

afterAll(closeOwnEmulator);

const rows = Object.entries(DESERVED).flatMap(([area, entries]) =>
  entries.map(({ code, by, status, earn }) => [area, code, by, status, earn] as const),
);

test.each(rows)('%s: %i is earned by a %s', async (_area, code, _by, status, earn) => {
  const chain = await Chain.open();

  const answer = await earn(chain);

  expect(answer).toMatchObject({ status, code });
  expect(answer.message).toEqual(expect.stringMatching(/\w/));
  expect((await chain.audit()).problems).toEqual([]);
});
