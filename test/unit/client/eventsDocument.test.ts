import * as walletflow from '../../../src';
import { signEvent } from '../../../src/crypto/eventSignature';
import { codeOf } from '../../support/documents';
import { compiled, programOf, sourceOf } from '../../support/programs';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

type Receive = (
  request: Request,
  secret: string,
  handleOnce: (event: walletflow.FlowEvent) => Promise<void>,
) => Promise<Response>;

/** The receiver whose code docs/operations.md shows. */
function documentedReceiver(): Receive {
  const code = compiled(sourceOf(programOf('docs/operations.md#events'), 'cjs'), 'cjs');
  const module = { exports: {} as { receive: Receive } };
  const require = (name: string) => (name === 'walletflow' ? walletflow : undefined);
  // oxlint-disable-next-line typescript/no-implied-eval -- a document of this repository
  new Function('module', 'exports', 'require', code)(module, module.exports, require);
  return module.exports.receive;
}

/** The event that docs/operations.md shows, signed as a worker signs it. */
function documentedEvent(): Request {
  const [body = ''] = codeOf('docs/operations.md', 'json');
  const { id } = JSON.parse(body) as { id: string };
  return new Request('http://127.0.0.1/', { method: 'POST', body, headers: signEvent(SECRET, id, new Date(), body) });
}

describe('the receiver in docs/operations.md', () => {
  const receive = documentedReceiver();
  const handled: string[] = [];
  const handleOnce = async ({ id }: walletflow.FlowEvent) => void handled.push(id);
  beforeEach(() => handled.splice(0));

  test('handles an event and accepts it', async () => {
    expect((await receive(documentedEvent(), SECRET, handleOnce)).status).toBe(204);
    expect(handled).toEqual(['transfer/inv-42/3']);
  });

  test('rejects an event that is signed with another secret, and says why', async () => {
    const response = await receive(documentedEvent(), `whsec_${Buffer.alloc(32).toString('base64')}`, handleOnce);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('signature')]);
    expect(handled).toEqual([]);
  });

  test('does not accept an event that it failed to handle', async () => {
    const fails = () => Promise.reject(new Error('the database is down'));
    await expect(receive(documentedEvent(), SECRET, fails)).rejects.toThrow('the database is down');
  });
});
