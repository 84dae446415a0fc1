import { AttestationHost, BASE, ETHEREUM } from '../../emulator/attestation/support';
import { untilLimited } from './failures';

/** Hook data that asks the forwarding service to mint. */
const FORWARD = `0x${Buffer.from('cctp-forward').toString('hex').padEnd(64, '0')}`;

export async function attest() {
  const host = await AttestationHost.open();
  const route = `${ETHEREUM}/${BASE}`;
  for (const path of ['publicKeys', `burn/USDC/fees/${route}`, `burn/USDC/fees/${route}?forward=true`])
    await host.get(`/v2/${path}`);
  await host.get('/v2/fastBurn/USDC/allowance');
  await host.get(`/v2/messages/${ETHEREUM}?transactionHash=0x${'ab'.repeat(32)}`);
  await host.get('/v2/messages/none?nonce=1');
  const late = await host.burn({ maxFee: '0' });
  const fast = await host.burn();
  const forwarded = await host.burn({ maxFee: '260000', hookData: FORWARD });
  await host.advance(3);
  for (const burn of [late, fast]) await host.messages(burn);
  await host.advance(25);
  const { nonce } = fast;
  for (const burn of [late, fast]) await host.messages(burn);
  for (let n = 0; n < 2; n++) {
    await host.post(`/v2/reattest/${nonce}`);
    await host.advance(3_600);
  }
  await host.messages(forwarded);
  await host.world.control.changeSettings({ limits: true });
  await untilLimited(() => host.get(`/v2/messages/${ETHEREUM}?nonce=${nonce}`));
}
