import { ERROR_CODE_CASES } from '.';
import { closeOwnEmulator } from '../../support/emulator';
import { TestClient } from '../chain/support';

afterAll(closeOwnEmulator);

const rows = Object.entries(ERROR_CODE_CASES).flatMap(([area, entries]) =>
  entries.map(({ code, cause, status, trigger }) => [area, code, cause, status, trigger] as const),
);

test.each(rows)('%s: %i can be triggered by a %s', async (_area, code, _cause, status, trigger) => {
  const client = await TestClient.open();

  const response = await trigger(client);

  expect(response).toMatchObject({ status, code });
  expect(response.message).toEqual(expect.stringMatching(/\w/));
  expect((await client.audit()).problems).toEqual([]);
});
