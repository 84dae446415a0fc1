import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { transformSync } from '@swc/core';
import * as walletflow from '../../../src';
import { signEvent } from '../../../src/crypto/eventSignature';

const DOCUMENT = resolve(__dirname, '../../../docs/operations.md');
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

type Receive = (
  request: Request,
  secret: string,
  actOnce: (event: walletflow.FlowEvent) => Promise<void>,
) => Promise<Response>;

/** The receiver that docs/operations.md shows, as it stands there. */
function documented(): Receive {
  const section = /^## Events$[^]*?^```ts\n([^]*?)^```$/m.exec(readFileSync(DOCUMENT, 'utf8'));
  const { code } = transformSync(section![1]!, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  });
  const module = { exports: {} as { receive: Receive } };
  const require = (name: string) => (name === 'walletflow' ? walletflow : undefined);
  // oxlint-disable-next-line typescript/no-implied-eval -- our own document, in a test
  new Function('module', 'exports', 'require', code)(module, module.exports, require);
  return module.exports.receive;
}

/** The event that docs/operations.md shows, as a worker sends it. */
function documentedEvent(): Request {
  const section = /^## Events$[^]*?^```json\n([^]*?)^```$/m.exec(readFileSync(DOCUMENT, 'utf8'));
  const body = section![1]!;
  const { id } = JSON.parse(body) as { id: string };
  return new Request('http://127.0.0.1/', { method: 'POST', body, headers: signEvent(SECRET, id, new Date(), body) });
}

describe('the receiver that the documents show', () => {
  const receive = documented();
  const acted: string[] = [];
  const actOnce = async ({ id }: walletflow.FlowEvent) => void acted.push(id);
  beforeEach(() => acted.splice(0));

  test('acts on an event and takes it', async () => {
    expect((await receive(documentedEvent(), SECRET, actOnce)).status).toBe(204);
    expect(acted).toEqual(['transfer/inv-42/3']);
  });

  test('refuses what is signed with another secret, and says why', async () => {
    const response = await receive(documentedEvent(), `whsec_${Buffer.alloc(32).toString('base64')}`, actOnce);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('signature')]);
    expect(acted).toEqual([]);
  });

  test('takes nothing that it could not act on', async () => {
    const fails = () => Promise.reject(new Error('the database is away'));
    await expect(receive(documentedEvent(), SECRET, fails)).rejects.toThrow('the database is away');
  });
});
