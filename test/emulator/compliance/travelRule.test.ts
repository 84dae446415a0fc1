import { randomUUID } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { closeOwnEmulator } from '../../support/emulator';
import { Chain, STRANGER, token } from '../chain/support';
import { SELF_HOSTED, SINGAPORE_EXCHANGE, US_EXCHANGE, call, payload, sendPii, update } from './support';

afterAll(closeOwnEmulator);

const USDC = 1_000_000n;
const dollars = (amount: number) => String(BigInt(amount) * USDC);
const check = (chain: Chain, body: object = {}) =>
  call(chain, 'eligibilityCheck', {
    transactionAsset: 'USDC',
    transactionAmount: dollars(5000),
    destination: US_EXCHANGE,
    ...body,
  });
const messages = async (chain: Chain, body: object = {}) => (await call(chain, 'messages', body)).body.messages;
const statusOf = async (chain: Chain, id: string) =>
  (await messages(chain)).find((message: { id: string }) => message.id === id).status;
const play = (chain: Chain, id: string, verb: string, body: object = {}) =>
  chain.world.control.call('POST', `/travelRule/${id}/${verb}`, body);

/** Subscribes to travel-rule webhooks; gives the types of those that were sent. */
async function webhooks(chain: Chain) {
  const receiver = await chain.subscribe(['travelRule.*']);
  return async () => {
    await chain.world.control.advance(0);
    receiver.close();
    return receiver.received.map(({ body }) => body.notificationType as string);
  };
}

describe('eligibility', () => {
  test('of a transfer to a hosted address above the threshold names the VASP and the data to send', async () => {
    const chain = await Chain.open();
    expect(await check(chain)).toMatchObject({
      status: 200,
      body: {
        recommendation: 'PROCEED_WITH_TRANSACTION',
        reason: 'TRAVEL_RULE_REQUIRED',
        beneficiaryAddressType: 'HOSTED',
        beneficiaryVaspName: 'Sample Exchange US',
        originatorVaspId: expect.any(String),
        firedRule: { name: 'Hosted wallet' },
        matchedRules: [{ name: 'Hosted wallet' }],
        requiredTravelRuleData: expect.arrayContaining(['originator.name', 'beneficiary.accountNumber']),
        errors: [],
        status: { code: 0, message: 'Success', version: '1.0', externalMessage: '', property: '', errors: [] },
      },
    });
    const { body } = await check(chain, { destination: SINGAPORE_EXCHANGE });
    expect(body.beneficiaryVaspName).toBe('Sample Exchange Singapore');
  });

  /** TR-02 */
  test('begins at the threshold, which can be changed while everything runs', async () => {
    const chain = await Chain.open();
    const { control } = chain.world;
    const isNeeded = async (transactionAmount: string) =>
      (await check(chain, { transactionAmount })).body.requiredTravelRuleData.length > 0;
    await control.call('PUT', '/travelRule/thresholds/US', { message: '1000.00' });
    expect(await isNeeded('999999999')).toBe(false);
    expect(await isNeeded('1000000000')).toBe(true);
    expect(await isNeeded('1000000001')).toBe(true);
    expect(await isNeeded(dollars(250))).toBe(false);
    await control.call('PUT', '/travelRule/thresholds/US', { message: '250' });
    expect(await isNeeded(dollars(250))).toBe(true);
    expect(await control.call('PUT', '/travelRule/thresholds/US', {})).toEqual({ message: '3000', proof: null });
  });

  test('of a self-hosted address in France waits for a proof of ownership', async () => {
    const chain = await Chain.open();
    const transfer = {
      transactionAsset: 'ETH-SEPOLIA',
      transactionAmount: '9876543210123456789',
      destination: SELF_HOSTED,
      customerJurisdiction: 'FR',
    };
    expect((await check(chain, transfer)).body).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'NON_CUSTODIAL_WALLET',
      beneficiaryAddressType: 'UNKNOWN',
    });
    const upload = await call(chain, 'uploadOwnershipProof', {
      idempotencyKey: randomUUID(),
      transactionAsset: 'ETH-SEPOLIA',
      address: SELF_HOSTED,
      type: 'self-declaration',
      proof: 'This wallet is mine',
    });
    expect(upload).toMatchObject({ status: 201, body: { verified: false, status: { code: 0 } } });
    expect((await check(chain, transfer)).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      reason: 'NON_CUSTODIAL_WALLET',
      beneficiaryAddressType: 'UNHOSTED',
      requiredTravelRuleData: [],
    });
    // The published address, with the zero that makes it one.
    const padded = { ...transfer, destination: SELF_HOSTED.replace('0x', '0x0') };
    expect((await check(chain, padded)).body.beneficiaryAddressType).toBe('UNHOSTED');
    expect((await check(chain, { ...transfer, customerJurisdiction: 'US' })).body.recommendation).toBe(
      'PROCEED_WITH_TRANSACTION',
    );
  });

  test('of an unknown address prevents it until its VASP is known; of our own wallet nothing is needed', async () => {
    const chain = await Chain.open();
    expect((await check(chain, { destination: STRANGER })).body).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'UNKNOWN_WALLET',
      beneficiaryAddressType: 'UNKNOWN',
    });
    const vasp = { name: 'New Exchange', jurisdiction: 'DE', addresses: [STRANGER] };
    const { id } = await chain.world.control.call<{ id: string }>('POST', '/travelRule/vasps', vasp);
    expect((await check(chain, { destination: STRANGER })).body).toMatchObject({ beneficiaryVaspId: id });
    const own = await chain.wallet();
    expect((await check(chain, { destination: own.address })).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      reason: 'INTERNAL_TRANSFER',
      requiredTravelRuleData: [],
    });
  });

  test('is refused where a field is wrong', async () => {
    const chain = await Chain.open();
    const wrong = [
      ['destination', { destination: '0x12' }],
      ['origin', { origin: 'nobody' }],
      ['transactionAmount', { transactionAmount: '1.5' }],
      ['transactionAsset', { transactionAsset: 'BTC' }],
      ['customerJurisdiction', { customerJurisdiction: 'XX' }],
    ] as const;
    for (const [location, body] of wrong) {
      expect(await check(chain, body)).toMatchObject({ status: 400, body: { code: 2, errors: [{ location }] } });
    }
  });

  test('comes in data where the world is set so', async () => {
    const chain = await Chain.open({ complianceEnvelope: 'data' });
    expect((await check(chain)).body.data.reason).toBe('TRAVEL_RULE_REQUIRED');
  });
});

describe('a message of ours', () => {
  test('is sent, claimed, verified and accepted by itself, and webhooks tell of each', async () => {
    const chain = await Chain.open();
    const types = await webhooks(chain);
    const { status, body } = await sendPii(chain, { refId: 'inv-42' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      travelRuleStatus: 'NEW',
      beneficiaryVaspName: 'Sample Exchange US',
      beneficiaryVASPId: expect.any(String),
      ruleMatches: [{ name: 'Hosted wallet' }],
    });
    const seen = [];
    for (const ms of [500, 2_000, 3_000, 5_000]) {
      await chain.world.control.advance(ms);
      seen.push(await statusOf(chain, body.travelRuleId));
    }
    expect(seen).toEqual(['SENT', 'CLAIMED', 'VERIFIED', 'ACCEPTED']);
    expect(await types()).toEqual([...Array<string>(4).fill('travelRule.statusUpdate'), 'travelRule.approve']);
    const [message] = await messages(chain, { transactionType: 'OUTBOUND' });
    expect(message).toMatchObject({ refId: 'inv-42', amount: '5000000000', destinationAddress: US_EXCHANGE });
    expect(JSON.stringify(message)).not.toContain('Dupont');
  });

  /** TR-03, TR-07 */
  test('is one, whatever becomes of the reply, and holds the data byte for byte', async () => {
    const chain = await Chain.open();
    const names = ['Nguyễn Thị Ánh', 'Jürgen Groß', 'О’Коннор', '山田 太郎', 'বাংলা', "Anne-Marie d'Arc", 'Sukarno'];
    const beneficiaryPerson = names.map((primaryIdentifier) => ({
      naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier, naturalPersonNameIdentifierType: 'LEGL' }] } },
    }));
    const body = { idempotencyKey: randomUUID(), ivms101: payload({}, { beneficiaryPerson }) };
    expect((await sendPii(chain, body)).status).toBe(201);
    expect(await sendPii(chain, body)).toMatchObject({ status: 403, body: { code: 156020 } });
    const { messages: kept } = await chain.world.control.call<{ messages: any[] }>('GET', '/travelRule'); // oxlint-disable-line typescript/no-explicit-any
    expect(kept).toHaveLength(1);
    expect(kept[0].ivms101).toEqual(body.ivms101);
  });

  test.each([
    ['deny', 'DENIED', 'travelRule.deny'],
    ['reject', 'REJECTED', 'travelRule.deny'],
    ['silent', 'SENT', 'travelRule.statusUpdate'],
    ['incomplete', 'INCOMPLETE', 'travelRule.statusUpdate'],
  ])('to a VASP that does %s ends as %s', async (behaviour, end, type) => {
    const chain = await Chain.open();
    const types = await webhooks(chain);
    const { vasps } = await chain.world.control.call<{ vasps: { id: string }[] }>('GET', '/travelRule/vasps');
    await chain.world.control.call('PATCH', `/travelRule/vasps/${vasps[0]!.id}`, { behaviour });
    const { body } = await sendPii(chain);
    await chain.settle();
    expect(await statusOf(chain, body.travelRuleId)).toBe(end);
    expect((await types()).at(-1)).toBe(type);
  });

  test('is refused when data are missing that the country wants, each named', async () => {
    const chain = await Chain.open();
    const named = async (body: object) => (await sendPii(chain, body)).body.errors;
    const bare = payload({ accountNumber: undefined }, { accountNumber: undefined });
    expect(await named({ ivms101: bare })).toMatchObject([
      { error: 'required', location: 'ivms101.originator.accountNumber' },
      { error: 'required', location: 'ivms101.beneficiary.accountNumber' },
    ]);
    // Nothing is wanted below the threshold.
    expect((await sendPii(chain, { ivms101: bare, transactionAmount: '1' })).body.travelRuleStatus).toBe('SAVED');
  });

  test('can be played by hand: the other side answers as far as the status allows', async () => {
    const chain = await Chain.open();
    const { body } = await sendPii(chain);
    const id = body.travelRuleId as string;
    await chain.world.control.advance(500);
    await play(chain, id, 'silent');
    await chain.settle();
    expect(await statusOf(chain, id)).toBe('SENT');
    for (const [verb, status] of [
      ['claim', 'CLAIMED'],
      ['unknown', 'UNKNOWN'],
      ['verify', 'VERIFIED'],
      ['incomplete', 'INCOMPLETE'],
    ] as const) {
      await play(chain, id, verb, { reason: verb });
      expect((await messages(chain))[0]).toMatchObject({ status, reason: verb });
    }
    await expect(play(chain, id, 'accept')).rejects.toThrow(/409/);
    expect((await sendPii(chain, { travelRuleId: id, destination: SINGAPORE_EXCHANGE })).body).toMatchObject({
      code: 2,
      errors: [{ location: 'travelRuleId' }],
    });
    const again = await sendPii(chain, { travelRuleId: id });
    expect(again).toMatchObject({ status: 200, body: { travelRuleId: id, travelRuleStatus: 'SENT' } });
    await play(chain, id, 'accept');
    await expect(play(chain, id, 'deny')).rejects.toThrow(/409/);
    expect(await messages(chain)).toHaveLength(1);
  });

  test('is saved and never sent below the threshold, to our own wallet or to a self-hosted one', async () => {
    const chain = await Chain.open();
    const own = await chain.wallet();
    const saved = [{ transactionAmount: dollars(10) }, { destination: own.address }, { destination: SELF_HOSTED }];
    for (const body of saved) expect((await sendPii(chain, body)).body.travelRuleStatus).toBe('SAVED');
    const unknown = await sendPii(chain, { destination: STRANGER });
    await chain.settle();
    expect(new Set((await messages(chain)).map(({ status }: { status: string }) => status))).toEqual(
      new Set(['NEW', 'SAVED']),
    );
    expect(unknown.body).toMatchObject({ reason: 'UNKNOWN_WALLET', recommendation: 'PREVENT_TRANSACTION' });
  });

  test('goes to the VASP that the customer has named', async () => {
    const chain = await Chain.open();
    const { body } = await check(chain);
    const named = { destination: STRANGER, beneficiaryVaspId: body.beneficiaryVaspId };
    expect((await sendPii(chain, named)).body).toMatchObject({
      beneficiaryVASPId: body.beneficiaryVaspId,
      recommendation: 'PROCEED_WITH_TRANSACTION',
    });
    expect(await sendPii(chain, { beneficiaryVaspId: 'nobody' })).toMatchObject({
      body: { code: 2, errors: [{ location: 'beneficiaryVaspId' }] },
    });
  });

  /** WF-05 */
  test('is withdrawn once, however often, until it is final; its hash can be told at any time', async () => {
    const chain = await Chain.open();
    const first = await sendPii(chain);
    const id = first.body.travelRuleId as string;
    await chain.world.control.advance(2_500);
    const withdrawn = await update(chain, id, { status: 'CANCELLED', reason: 'called back' });
    expect(withdrawn).toMatchObject({ status: 200, body: { travelRuleId: id, travelRuleStatus: 'CANCELLED' } });
    const before = await messages(chain);
    await chain.settle();
    expect((await update(chain, id, { status: 'CANCELLED' })).status).toBe(200);
    expect(await messages(chain)).toEqual(before);

    const second = await sendPii(chain);
    await chain.settle();
    const accepted = second.body.travelRuleId as string;
    for (const status of ['CANCELLED', 'DENIED', 'SENT', 'ACCEPTED'] as const) {
      const { body } = await update(chain, accepted, { status });
      if (status === 'ACCEPTED') expect(body.travelRuleStatus).toBe('ACCEPTED');
      else expect(body).toMatchObject({ code: 2, errors: [{ location: 'status' }] });
    }
    await update(chain, accepted, { txHash: '0xabc' });
    expect((await messages(chain))[0]).toMatchObject({ status: 'ACCEPTED', txHash: '0xabc' });
    expect(await update(chain, accepted, {})).toMatchObject({ status: 400, body: { code: 2 } });
  });
});

describe('money that comes in', () => {
  const incoming = (chain: Chain, destination: string, body: object = {}) =>
    chain.world.control.call<{ id: string }>('POST', '/travelRule/incoming', {
      customerJurisdiction: 'US',
      asset: 'USDC',
      amount: dollars(5000),
      origin: US_EXCHANGE,
      destination,
      ...body,
    });

  test('is valid with its message, which is found by the transaction and answered by us', async () => {
    const chain = await Chain.open();
    const wallet = await chain.wallet();
    await chain.world.control.call('POST', `/wallets/${wallet.id}/inbound`, {
      tokenId: token('ETH-SEPOLIA', 'USDC'),
      amount: '5000',
      from: US_EXCHANGE,
    });
    await chain.settle();
    const { data } = await chain.get('/transactions?txType=INBOUND');
    const { id: transactionId } = data.transactions[0];
    expect((await call(chain, 'validityCheck', { transactionId })).body).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'MESSAGE_MISSING',
      originatorAddressType: 'HOSTED',
      originatorVaspName: 'Sample Exchange US',
    });
    expect(await call(chain, 'receivePii', { transactionId })).toMatchObject({ status: 404, body: { code: 404 } });

    const { id } = await incoming(chain, wallet.address);
    expect((await call(chain, 'validityCheck', { transactionId })).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      firedRule: { name: 'Message received' },
    });
    const received = await call(chain, 'receivePii', { transactionId });
    expect(received.body).toMatchObject({ id, transactionType: 'INBOUND', status: 'SENT' });
    expect(received.body.ivms101.beneficiary.accountNumber).toEqual([wallet.address]);
    expect(await call(chain, 'receivePii', { travelRuleId: id, customerJurisdiction: 'FR' })).toMatchObject({
      status: 404,
    });
    expect(await messages(chain, { transactionType: 'INBOUND' })).toHaveLength(1);
    expect(await messages(chain, { transactionType: 'OUTBOUND' })).toHaveLength(0);

    expect((await update(chain, id, { status: 'CANCELLED' })).body.code).toBe(2);
    expect((await update(chain, id, { status: 'ACCEPTED' })).body.travelRuleStatus).toBe('ACCEPTED');
  });

  test('is held while data are missing, and refused once the message is closed', async () => {
    const chain = await Chain.open();
    const { address } = await chain.wallet();
    const validity = async (body: object) => (await call(chain, 'validityCheck', body)).body;
    const { id: travelRuleId } = await incoming(chain, address, { ivms101: null });
    expect(await validity({ travelRuleId })).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'MESSAGE_INCOMPLETE',
      requiredTravelRuleData: expect.arrayContaining(['originator.name']),
    });
    await update(chain, travelRuleId, { status: 'INCOMPLETE', reason: 'no names' });
    await play(chain, travelRuleId, 'complete');
    expect(await validity({ travelRuleId })).toMatchObject({ recommendation: 'PROCEED_WITH_TRANSACTION' });
    await play(chain, travelRuleId, 'cancel');
    expect(await validity({ travelRuleId })).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'MESSAGE_CLOSED',
    });
  });

  test('can be named by what the blockchain shows', async () => {
    const chain = await Chain.open();
    const { address: destination } = await chain.wallet();
    const transactionInfo = { amount: dollars(4000), asset: 'USDC', destination, origin: STRANGER, txHash: '0xAB' };
    const validity = async () => (await call(chain, 'validityCheck', { transactionInfo })).body;
    expect(await validity()).toMatchObject({ recommendation: 'PREVENT_TRANSACTION', reason: 'UNKNOWN_WALLET' });
    await incoming(chain, destination, { amount: '1', origin: undefined, txHash: '0xab' });
    expect(await validity()).toMatchObject({ recommendation: 'PROCEED_WITH_TRANSACTION' });
  });
});

describe('a proof of ownership', () => {
  const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  const text = `I own ${owner.address}. Nonce 1`;
  const upload = (chain: Chain, body: object) =>
    call(chain, 'uploadOwnershipProof', {
      idempotencyKey: randomUUID(),
      transactionAsset: 'USDC',
      address: owner.address,
      type: 'eip-191',
      attestation: text,
      ...body,
    });

  test('by signature is verified, and makes the address a self-hosted one', async () => {
    const chain = await Chain.open();
    const proof = await owner.signMessage({ message: text });
    expect(await upload(chain, { proof })).toMatchObject({
      status: 201,
      body: { verified: true, address: owner.address, beneficiaryProof: { type: 'eip-191', proof } },
    });
    expect((await check(chain, { destination: owner.address, customerJurisdiction: 'FR' })).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      beneficiaryAddressType: 'UNHOSTED',
    });
  });

  /** TR-06 */
  test('is refused when it is of another signer, another text or another address', async () => {
    const chain = await Chain.open();
    const stranger = await other.signMessage({ message: text });
    const signed = await owner.signMessage({ message: text });
    const wrong = [
      ['proof', { proof: stranger }],
      ['proof', { proof: signed, attestation: `${text}0` }],
      ['proof', { proof: '0x1234' }],
      ['attestation', { proof: signed, attestation: 'I own something' }],
      ['attestation', { proof: stranger, address: other.address }],
      ['type', { proof: signed, transactionAsset: 'SOL', address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }],
      ['address', { proof: signed, address: '0x1' }],
    ] as const;
    for (const [location, body] of wrong) {
      const answer = await upload(chain, body);
      expect(answer).toMatchObject({ status: 400, body: { code: 2, errors: [{ location }] } });
      expect(JSON.stringify(answer.body)).not.toContain(signed);
    }
    expect(await upload(chain, { proof: signed, attestation: undefined })).toMatchObject({ body: { code: 2 } });
  });
});

test('messages are listed newest first, page by page, with cursors in the body', async () => {
  const chain = await Chain.open();
  for (const refId of ['a', 'b', 'c']) await sendPii(chain, { refId });
  await sendPii(chain, { customerJurisdiction: 'SG', refId: 'elsewhere' });
  const first = await call(chain, 'messages', { pageSize: 2 });
  const refs = (rows: { refId: string }[]) => rows.map(({ refId }) => refId);
  expect(refs(first.body.messages)).toEqual(['c', 'b']);
  expect(first.headers.get('link')).toContain('rel="next"');
  const second = await call(chain, 'messages', { pageSize: 2, pageAfter: first.body.messages[1].id });
  expect(refs(second.body.messages)).toEqual(['a']);
  expect(second.headers.get('link')).not.toContain('rel="next"');
});
