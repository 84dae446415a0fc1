import { randomUUID } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { closeOwnEmulator } from '../../support/emulator';
import { STRANGER, TestClient, token } from '../chain/support';
import { call, payload, SELF_HOSTED, sendPii, SINGAPORE_EXCHANGE, update, US_EXCHANGE } from './support';

afterAll(closeOwnEmulator);

const USDC = 1_000_000n;
const dollars = (amount: number) => String(BigInt(amount) * USDC);
const check = (client: TestClient, body: object = {}) =>
  call(client, 'eligibilityCheck', {
    transactionAsset: 'USDC',
    transactionAmount: dollars(5000),
    destination: US_EXCHANGE,
    ...body,
  });
const messages = async (client: TestClient, body: object = {}) => (await call(client, 'messages', body)).body.messages;
const statusOf = async (client: TestClient, id: string) =>
  (await messages(client)).find((message: { id: string }) => message.id === id).status;
const play = (client: TestClient, id: string, verb: string, body: object = {}) =>
  client.world.control.call('POST', `/travelRule/${id}/${verb}`, body);

/** Subscribes to travel-rule webhooks. @returns a function that lists the types received so far */
async function webhooks(client: TestClient) {
  const receiver = await client.subscribe(['travelRule.*']);
  return async () => {
    await client.world.control.advance(0);
    receiver.close();
    return receiver.received.map(({ body }) => body.notificationType as string);
  };
}

describe('eligibility', () => {
  test('of a transfer to a hosted address above the threshold names the VASP and the data to send', async () => {
    const client = await TestClient.open();
    expect(await check(client)).toMatchObject({
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
    const { body } = await check(client, { destination: SINGAPORE_EXCHANGE });
    expect(body.beneficiaryVaspName).toBe('Sample Exchange Singapore');
  });

  test('starts at the threshold, which can be changed at run time', async () => {
    const client = await TestClient.open();
    const { control } = client.world;
    const isNeeded = async (transactionAmount: string) =>
      (await check(client, { transactionAmount })).body.requiredTravelRuleData.length > 0;
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
    const client = await TestClient.open();
    const transfer = {
      transactionAsset: 'ETH-SEPOLIA',
      transactionAmount: '9876543210123456789',
      destination: SELF_HOSTED,
      customerJurisdiction: 'FR',
    };
    expect((await check(client, transfer)).body).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'NON_CUSTODIAL_WALLET',
      beneficiaryAddressType: 'UNKNOWN',
    });
    const upload = await call(client, 'uploadOwnershipProof', {
      idempotencyKey: randomUUID(),
      transactionAsset: 'ETH-SEPOLIA',
      address: SELF_HOSTED,
      type: 'self-declaration',
      proof: 'This wallet is mine',
    });
    expect(upload).toMatchObject({ status: 201, body: { verified: false, status: { code: 0 } } });
    expect((await check(client, transfer)).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      reason: 'NON_CUSTODIAL_WALLET',
      beneficiaryAddressType: 'UNHOSTED',
      requiredTravelRuleData: [],
    });
    // The published address with the missing zero.
    const padded = { ...transfer, destination: SELF_HOSTED.replace('0x', '0x0') };
    expect((await check(client, padded)).body.beneficiaryAddressType).toBe('UNHOSTED');
    expect((await check(client, { ...transfer, customerJurisdiction: 'US' })).body.recommendation).toBe(
      'PROCEED_WITH_TRANSACTION',
    );
  });

  test('of an unknown address prevents the transfer until its VASP is known, and of an own wallet needs nothing', async () => {
    const client = await TestClient.open();
    expect((await check(client, { destination: STRANGER })).body).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'UNKNOWN_WALLET',
      beneficiaryAddressType: 'UNKNOWN',
    });
    const vasp = { name: 'New Exchange', jurisdiction: 'DE', addresses: [STRANGER] };
    const { id } = await client.world.control.call<{ id: string }>('POST', '/travelRule/vasps', vasp);
    expect((await check(client, { destination: STRANGER })).body).toMatchObject({ beneficiaryVaspId: id });
    const own = await client.wallet();
    expect((await check(client, { destination: own.address })).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      reason: 'INTERNAL_TRANSFER',
      requiredTravelRuleData: [],
    });
  });

  test('is rejected with an invalid field', async () => {
    const client = await TestClient.open();
    const wrong = [
      ['destination', { destination: '0x12' }],
      ['origin', { origin: 'unknown' }],
      ['transactionAmount', { transactionAmount: '1.5' }],
      ['transactionAsset', { transactionAsset: 'BTC' }],
      ['customerJurisdiction', { customerJurisdiction: 'XX' }],
    ] as const;
    for (const [location, body] of wrong) {
      expect(await check(client, body)).toMatchObject({ status: 400, body: { code: 2, errors: [{ location }] } });
    }
  });

  test('can return its result in data', async () => {
    const client = await TestClient.open({ complianceEnvelope: 'data' });
    expect((await check(client)).body.data.reason).toBe('TRAVEL_RULE_REQUIRED');
  });
});

describe('an outgoing message', () => {
  test('is sent, claimed, verified and accepted automatically, with a webhook for each state', async () => {
    const client = await TestClient.open();
    const types = await webhooks(client);
    const { status, body } = await sendPii(client, { refId: 'inv-42' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      travelRuleStatus: 'NEW',
      beneficiaryVaspName: 'Sample Exchange US',
      beneficiaryVASPId: expect.any(String),
      ruleMatches: [{ name: 'Hosted wallet' }],
    });
    const seen = [];
    for (const ms of [500, 2_000, 3_000, 5_000]) {
      await client.world.control.advance(ms);
      seen.push(await statusOf(client, body.travelRuleId));
    }
    expect(seen).toEqual(['SENT', 'CLAIMED', 'VERIFIED', 'ACCEPTED']);
    expect(await types()).toEqual([...Array<string>(4).fill('travelRule.statusUpdate'), 'travelRule.approve']);
    const [message] = await messages(client, { transactionType: 'OUTBOUND' });
    expect(message).toMatchObject({ refId: 'inv-42', amount: '5000000000', destinationAddress: US_EXCHANGE });
    expect(JSON.stringify(message)).not.toContain('Dupont');
  });

  test('is created once despite a lost reply and keeps its data byte for byte', async () => {
    const client = await TestClient.open();
    const names = ['Nguyễn Thị Ánh', 'Jürgen Groß', 'О’Коннор', '山田 太郎', 'বাংলা', "Anne-Marie d'Arc", 'Sukarno'];
    const beneficiaryPerson = names.map((primaryIdentifier) => ({
      naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier, naturalPersonNameIdentifierType: 'LEGL' }] } },
    }));
    const body = { idempotencyKey: randomUUID(), ivms101: payload({}, { beneficiaryPerson }) };
    expect((await sendPii(client, body)).status).toBe(201);
    expect(await sendPii(client, body)).toMatchObject({ status: 403, body: { code: 156020 } });
    const { messages: stored } = await client.world.control.call<{ messages: any[] }>('GET', '/travelRule'); // oxlint-disable-line typescript/no-explicit-any
    expect(stored).toHaveLength(1);
    expect(stored[0].ivms101).toEqual(body.ivms101);
  });

  test.each([
    ['deny', 'DENIED', 'travelRule.deny'],
    ['reject', 'REJECTED', 'travelRule.deny'],
    ['silent', 'SENT', 'travelRule.statusUpdate'],
    ['incomplete', 'INCOMPLETE', 'travelRule.statusUpdate'],
  ])('to a VASP with behavior %s ends as %s', async (behaviour, end, type) => {
    const client = await TestClient.open();
    const types = await webhooks(client);
    const { vasps } = await client.world.control.call<{ vasps: { id: string }[] }>('GET', '/travelRule/vasps');
    await client.world.control.call('PATCH', `/travelRule/vasps/${vasps[0]!.id}`, { behaviour });
    const { body } = await sendPii(client);
    await client.settle();
    expect(await statusOf(client, body.travelRuleId)).toBe(end);
    expect((await types()).at(-1)).toBe(type);
  });

  test('is rejected with the names of all missing data that the country requires', async () => {
    const client = await TestClient.open();
    const named = async (body: object) => (await sendPii(client, body)).body.errors;
    const bare = payload({ accountNumber: undefined }, { accountNumber: undefined });
    expect(await named({ ivms101: bare })).toMatchObject([
      { error: 'required', location: 'ivms101.originator.accountNumber' },
      { error: 'required', location: 'ivms101.beneficiary.accountNumber' },
    ]);
    // Below the threshold no data are required.
    expect((await sendPii(client, { ivms101: bare, transactionAmount: '1' })).body.travelRuleStatus).toBe('SAVED');
  });

  test('can be answered by controls as far as its status allows', async () => {
    const client = await TestClient.open();
    const { body } = await sendPii(client);
    const id = body.travelRuleId as string;
    await client.world.control.advance(500);
    await play(client, id, 'silent');
    await client.settle();
    expect(await statusOf(client, id)).toBe('SENT');
    for (const [verb, status] of [
      ['claim', 'CLAIMED'],
      ['unknown', 'UNKNOWN'],
      ['verify', 'VERIFIED'],
      ['incomplete', 'INCOMPLETE'],
    ] as const) {
      await play(client, id, verb, { reason: verb });
      expect((await messages(client))[0]).toMatchObject({ status, reason: verb });
    }
    await expect(play(client, id, 'accept')).rejects.toThrow(/409/);
    expect((await sendPii(client, { travelRuleId: id, destination: SINGAPORE_EXCHANGE })).body).toMatchObject({
      code: 2,
      errors: [{ location: 'travelRuleId' }],
    });
    const again = await sendPii(client, { travelRuleId: id });
    expect(again).toMatchObject({ status: 200, body: { travelRuleId: id, travelRuleStatus: 'SENT' } });
    await play(client, id, 'accept');
    await expect(play(client, id, 'deny')).rejects.toThrow(/409/);
    expect(await messages(client)).toHaveLength(1);
  });

  test('is saved but not sent below the threshold, to an own wallet or to a self-hosted wallet', async () => {
    const client = await TestClient.open();
    const own = await client.wallet();
    const saved = [{ transactionAmount: dollars(10) }, { destination: own.address }, { destination: SELF_HOSTED }];
    for (const body of saved) expect((await sendPii(client, body)).body.travelRuleStatus).toBe('SAVED');
    const unknown = await sendPii(client, { destination: STRANGER });
    await client.settle();
    expect(new Set((await messages(client)).map(({ status }: { status: string }) => status))).toEqual(
      new Set(['NEW', 'SAVED']),
    );
    expect(unknown.body).toMatchObject({ reason: 'UNKNOWN_WALLET', recommendation: 'PREVENT_TRANSACTION' });
  });

  test('goes to the VASP that the customer named', async () => {
    const client = await TestClient.open();
    const { body } = await check(client);
    const named = { destination: STRANGER, beneficiaryVaspId: body.beneficiaryVaspId };
    expect((await sendPii(client, named)).body).toMatchObject({
      beneficiaryVASPId: body.beneficiaryVaspId,
      recommendation: 'PROCEED_WITH_TRANSACTION',
    });
    expect(await sendPii(client, { beneficiaryVaspId: 'unknown' })).toMatchObject({
      body: { code: 2, errors: [{ location: 'beneficiaryVaspId' }] },
    });
  });

  test('can be withdrawn repeatedly with one effect until it is final, and its hash can be set at any time', async () => {
    const client = await TestClient.open();
    const first = await sendPii(client);
    const id = first.body.travelRuleId as string;
    await client.world.control.advance(2_500);
    const withdrawn = await update(client, id, { status: 'CANCELLED', reason: 'called back' });
    expect(withdrawn).toMatchObject({ status: 200, body: { travelRuleId: id, travelRuleStatus: 'CANCELLED' } });
    const before = await messages(client);
    await client.settle();
    expect((await update(client, id, { status: 'CANCELLED' })).status).toBe(200);
    expect(await messages(client)).toEqual(before);

    const second = await sendPii(client);
    await client.settle();
    const accepted = second.body.travelRuleId as string;
    for (const status of ['CANCELLED', 'DENIED', 'SENT', 'ACCEPTED'] as const) {
      const { body } = await update(client, accepted, { status });
      if (status === 'ACCEPTED') expect(body.travelRuleStatus).toBe('ACCEPTED');
      else expect(body).toMatchObject({ code: 2, errors: [{ location: 'status' }] });
    }
    await update(client, accepted, { txHash: '0xabc' });
    expect((await messages(client))[0]).toMatchObject({ status: 'ACCEPTED', txHash: '0xabc' });
    expect(await update(client, accepted, {})).toMatchObject({ status: 400, body: { code: 2 } });
  });
});

describe('an incoming payment', () => {
  const incoming = (client: TestClient, destination: string, body: object = {}) =>
    client.world.control.call<{ id: string }>('POST', '/travelRule/incoming', {
      customerJurisdiction: 'US',
      asset: 'USDC',
      amount: dollars(5000),
      origin: US_EXCHANGE,
      destination,
      ...body,
    });

  test('is valid with its message, which can be found by the transaction and answered', async () => {
    const client = await TestClient.open();
    const wallet = await client.wallet();
    await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, {
      tokenId: token('ETH-SEPOLIA', 'USDC'),
      amount: '5000',
      from: US_EXCHANGE,
    });
    await client.settle();
    const { data } = await client.get('/transactions?txType=INBOUND');
    const { id: transactionId } = data.transactions[0];
    expect((await call(client, 'validityCheck', { transactionId })).body).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'MESSAGE_MISSING',
      originatorAddressType: 'HOSTED',
      originatorVaspName: 'Sample Exchange US',
    });
    expect(await call(client, 'receivePii', { transactionId })).toMatchObject({ status: 404, body: { code: 404 } });

    const { id } = await incoming(client, wallet.address);
    expect((await call(client, 'validityCheck', { transactionId })).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      firedRule: { name: 'Message received' },
    });
    const received = await call(client, 'receivePii', { transactionId });
    expect(received.body).toMatchObject({ id, transactionType: 'INBOUND', status: 'SENT' });
    expect(received.body.ivms101.beneficiary.accountNumber).toEqual([wallet.address]);
    expect(await call(client, 'receivePii', { travelRuleId: id, customerJurisdiction: 'FR' })).toMatchObject({
      status: 404,
    });
    expect(await messages(client, { transactionType: 'INBOUND' })).toHaveLength(1);
    expect(await messages(client, { transactionType: 'OUTBOUND' })).toHaveLength(0);

    expect((await update(client, id, { status: 'CANCELLED' })).body.code).toBe(2);
    expect((await update(client, id, { status: 'ACCEPTED' })).body.travelRuleStatus).toBe('ACCEPTED');
  });

  test('is held while data are missing and rejected once the message is closed', async () => {
    const client = await TestClient.open();
    const { address } = await client.wallet();
    const validity = async (body: object) => (await call(client, 'validityCheck', body)).body;
    const { id: travelRuleId } = await incoming(client, address, { ivms101: null });
    expect(await validity({ travelRuleId })).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'MESSAGE_INCOMPLETE',
      requiredTravelRuleData: expect.arrayContaining(['originator.name']),
    });
    await update(client, travelRuleId, { status: 'INCOMPLETE', reason: 'no names' });
    await play(client, travelRuleId, 'complete');
    expect(await validity({ travelRuleId })).toMatchObject({ recommendation: 'PROCEED_WITH_TRANSACTION' });
    await play(client, travelRuleId, 'cancel');
    expect(await validity({ travelRuleId })).toMatchObject({
      recommendation: 'PREVENT_TRANSACTION',
      reason: 'MESSAGE_CLOSED',
    });
  });

  test('can be identified by its data on the blockchain', async () => {
    const client = await TestClient.open();
    const { address: destination } = await client.wallet();
    const transactionInfo = { amount: dollars(4000), asset: 'USDC', destination, origin: STRANGER, txHash: '0xAB' };
    const validity = async () => (await call(client, 'validityCheck', { transactionInfo })).body;
    expect(await validity()).toMatchObject({ recommendation: 'PREVENT_TRANSACTION', reason: 'UNKNOWN_WALLET' });
    await incoming(client, destination, { amount: '1', origin: undefined, txHash: '0xab' });
    expect(await validity()).toMatchObject({ recommendation: 'PROCEED_WITH_TRANSACTION' });
  });
});

describe('a proof of ownership', () => {
  const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`);
  const other = privateKeyToAccount(`0x${'22'.repeat(32)}`);
  const text = `I own ${owner.address} and receive USDC there. Nonce 1`;
  const upload = (client: TestClient, body: object) =>
    call(client, 'uploadOwnershipProof', {
      idempotencyKey: randomUUID(),
      transactionAsset: 'USDC',
      address: owner.address,
      type: 'eip-191',
      attestation: text,
      ...body,
    });

  test('by signature is verified and marks the address as self-hosted', async () => {
    const client = await TestClient.open();
    const proof = await owner.signMessage({ message: text });
    expect(await upload(client, { proof })).toMatchObject({
      status: 201,
      body: { verified: true, address: owner.address, beneficiaryProof: { type: 'eip-191', proof } },
    });
    expect((await check(client, { destination: owner.address, customerJurisdiction: 'FR' })).body).toMatchObject({
      recommendation: 'PROCEED_WITH_TRANSACTION',
      beneficiaryAddressType: 'UNHOSTED',
    });
  });

  test('is rejected with another signer, another text or another address', async () => {
    const client = await TestClient.open();
    const foreignSignature = await other.signMessage({ message: text });
    const signed = await owner.signMessage({ message: text });
    const wrong = [
      ['proof', { proof: foreignSignature }],
      ['proof', { proof: signed, attestation: `${text}0` }],
      ['proof', { proof: '0x1234' }],
      ['attestation', { proof: signed, attestation: 'I own something' }],
      ['attestation', { proof: signed, transactionAsset: 'ETH' }],
      ['attestation', { proof: foreignSignature, address: other.address }],
      ['type', { proof: signed, transactionAsset: 'SOL', address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }],
      ['address', { proof: signed, address: '0x1' }],
    ] as const;
    for (const [location, body] of wrong) {
      const response = await upload(client, body);
      expect(response).toMatchObject({ status: 400, body: { code: 2, errors: [{ location }] } });
      expect(JSON.stringify(response.body)).not.toContain(signed);
    }
    expect(await upload(client, { proof: signed, attestation: undefined })).toMatchObject({ body: { code: 2 } });
  });

  test('counts for its token and its address only, and its text only once', async () => {
    const client = await TestClient.open();
    const proof = await owner.signMessage({ message: text });
    expect((await upload(client, { proof })).status).toBe(201);
    const typeFor = async (more: object) =>
      (await check(client, { destination: owner.address, customerJurisdiction: 'FR', ...more })).body
        .beneficiaryAddressType;
    expect(await typeFor({})).toBe('UNHOSTED');
    expect(await typeFor({ transactionAsset: 'ETH' })).toBe('UNKNOWN');
    expect(await typeFor({ destination: other.address })).toBe('UNKNOWN');

    const usedText = { status: 400, body: { code: 2, errors: [{ location: 'attestation' }] } };
    expect(await upload(client, { proof })).toMatchObject(usedText);
    const attestation = `I own ${owner.address} and receive ETH there. Nonce 2`;
    const fresh = { attestation, transactionAsset: 'ETH', proof: await owner.signMessage({ message: attestation }) };
    expect((await upload(client, fresh)).status).toBe(201);
    expect(await typeFor({ transactionAsset: 'ETH' })).toBe('UNHOSTED');
  });
});

test('messages are listed newest first in pages, with cursors in the body', async () => {
  const client = await TestClient.open();
  for (const refId of ['a', 'b', 'c']) await sendPii(client, { refId });
  await sendPii(client, { customerJurisdiction: 'SG', refId: 'elsewhere' });
  const first = await call(client, 'messages', { pageSize: 2 });
  const refs = (rows: { refId: string }[]) => rows.map(({ refId }) => refId);
  expect(refs(first.body.messages)).toEqual(['c', 'b']);
  expect(first.headers.get('link')).toContain('rel="next"');
  const second = await call(client, 'messages', { pageSize: 2, pageAfter: first.body.messages[1].id });
  expect(refs(second.body.messages)).toEqual(['a']);
  expect(second.headers.get('link')).not.toContain('rel="next"');
});
