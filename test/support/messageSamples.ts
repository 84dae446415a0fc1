import { generateKeyPairSync } from 'node:crypto';
import type { FlowEvent } from '../../src/domain/flowEvent';
import type { HeldEvent } from '../../src/domain/heldEvents';
import type { Sealed } from '../../src/domain/sealed';
import type { ExpectedTransaction } from '../../src/domain/sentTransaction';
import type { SessionOperation } from '../../src/domain/userSession';
import type { LaneOperation } from '../../src/domain/walletLane';
import type { Sample } from './oddMessages';

/** Samples of every message of a workflow type, by the name of the signal or Update. Its queries take no argument. */
export interface MessageSamples {
  signals: Record<string, Sample[]>;
  updates: Record<string, Sample[]>;
  queries: string[];
}

/** A workflow that receives the samples. */
export interface Recipient {
  /** Workflow id of a flow that does not exist. */
  flow: string;
  /** A sealed token that opens as nobody's. */
  token: Sealed;
}

const EXPECTED: ExpectedTransaction = {
  walletId: 'w',
  blockchain: 'ETH-SEPOLIA',
  tokenId: 't',
  destinationAddress: '0x1',
  amounts: ['1'],
  effect: { flow: 'transfer', ref: 'unknown', step: 'submit' },
};
const EXPECTED_CALL: ExpectedTransaction = {
  walletId: 'w',
  blockchain: 'ETH-SEPOLIA',
  contractAddress: '0x1',
  abiFunctionSignature: 'pay(uint256)',
  abiParameters: ['1'],
  amount: '1',
  effect: { flow: 'executeContract', ref: 'unknown', step: 'submit' },
};
const FROM = { runId: 'r', number: 1 };
const AT = '2026-11-28T00:00:00.000Z';

export function flowSamples({ token }: Recipient): MessageSamples {
  const facts = [
    'amounts',
    'txHash',
    'networkFee',
    'errorReason',
    'errorDetails',
    'walletId',
    'tokenId',
    'destinationAddress',
    'contractAddress',
    'abiFunctionSignature',
    'abiParameters',
    'effect',
    'screening',
  ];
  return {
    signals: {
      stateChanged: [
        {
          genuine: {
            notificationId: 'n',
            id: 'unknown-transaction',
            state: 'FAILED',
            amounts: ['1'],
            txHash: '0x1',
            networkFee: '0.1',
            errorReason: 'FAILED_ON_CHAIN',
            errorDetails: 'reverted',
            walletId: 'w',
            tokenId: 't',
            destinationAddress: '0x1',
            contractAddress: '0x1',
            abiFunctionSignature: 'pay(uint256)',
            abiParameters: ['1'],
            effect: { flow: 'transfer', ref: 'unknown', step: 'submit', ordinal: 1 },
            screening: {
              ruleName: 'r',
              actions: ['DENY'],
              reasons: [{ source: 'ADDRESS', riskCategories: ['SANCTIONS'] }],
            },
          },
          optional: facts,
          any: ['abiParameters.*'],
        },
      ],
      sessionMessage: [
        {
          genuine: { id: 'unknown-request', value: { a: 1 }, from: FROM },
          optional: ['value'],
          any: ['value', 'value.a'],
        },
        {
          genuine: { id: 'unknown-request', failure: failure(), from: FROM },
          optional: ['failure.requestId', 'failure.runId'],
        },
        {
          genuine: { restriction: { reason: 'otherChallenge', until: 1 }, from: FROM },
          optional: ['restriction', 'restriction.until'],
        },
      ],
    },
    updates: {
      decide: [{ genuine: { choice: 'retry', attention: '3f2a91c0', by: { token } } }],
      provide: [{ genuine: { name: 'clientError', data: { code: 1 }, by: { token } } }],
      cancel: [{ genuine: { by: { token } } }],
      approval: [{ genuine: { publicKey: publicKey(), challengeId: 'unknown-challenge' }, optional: ['challengeId'] }],
    },
    queries: ['progress'],
  };
}

/** Of a flow that sends transactions from a wallet. */
export function senderSamples(recipient: Recipient): MessageSamples {
  const { signals, ...samples } = flowSamples(recipient);
  const about = { walletId: 'w', firstRunId: 'r', hold: 1 };
  const by = { reason: 'stuck', flow: recipient.flow, transactionId: 't' };
  const laneMessage: Sample[] = [
    { genuine: { ...about, type: 'granted' } },
    { genuine: { ...about, type: 'full' } },
    { genuine: { ...about, type: 'blocked', by }, optional: ['by.flow', 'by.transactionId'] },
  ];
  return { ...samples, signals: { ...signals, laneMessage } };
}

export function laneSamples({ flow }: Recipient): MessageSamples {
  const request = (operation: LaneOperation) => ({ flow, firstRunId: 'r', hold: 1, sentAt: 1, operation });
  const acquire = { type: 'acquire', priority: 3, capacity: 1, state: 'open' } as const;
  return {
    signals: {
      laneRequest: [
        { genuine: request({ ...acquire, held: true }), optional: ['operation.held'] },
        {
          genuine: request({ type: 'report', state: 'stuck', transactionId: 't' }),
          optional: ['operation.transactionId'],
        },
        { genuine: request({ type: 'release' }) },
      ],
      laneRefusal: [{ genuine: { code: 155505 } }],
    },
    updates: {},
    queries: ['progress'],
  };
}

export function sessionSamples({ flow, token }: Recipient): MessageSamples {
  const effect = { flow: 'changePin', ref: 'unknown', step: 'change', ordinal: 1 };
  const operations: SessionOperation[] = [
    { type: 'findChallenge', sent: { effect, call: 'updateUserPin' } },
    { type: 'withdraw', effect },
    { type: 'awaitChallengeEnd', challengeId: 'unknown-challenge', challengeType: 'CHANGE_PIN' },
    { type: 'releaseChallenge', challengeId: 'unknown-challenge' },
    { type: 'refreshChallenge', challengeId: 'unknown-challenge' },
    { type: 'refreshUser' },
    { type: 'renewTokens' },
    { type: 'readUser' },
    { type: 'listWallets' },
    { type: 'followTransaction', id: 'unknown-transaction', until: 'final', expected: EXPECTED },
  ];
  const request = (operation: object, options: object = {}) => ({
    id: `r-${JSON.stringify([operation, options]).length}`,
    flow,
    firstRunId: 'r',
    sentAt: 1,
    operation,
    ...options,
  });
  return {
    signals: {
      sessionRequest: [
        {
          genuine: request({
            type: 'openChallenge',
            challengeRequest: { effect, call: 'updateUserPin', params: { id: 'x' }, body: {} },
            renewUntil: 1,
          }),
          optional: ['operation.renewUntil', 'operation.challengeRequest.params'],
        },
        {
          genuine: request({
            type: 'login',
            tokens: { userToken: token, encryptionKey: token, refreshToken: token, deviceId: 'd' },
          }),
          optional: ['operation.tokens.refreshToken', 'operation.tokens.deviceId'],
          oddOnly: true,
        },
        {
          genuine: request(
            {
              type: 'awaitChallengeEnd',
              challengeId: 'unknown-challenge',
              challengeType: 'CHANGE_PIN',
              opened: { effect, call: 'updateUserPin' },
            },
            { mayBeSent: true, resent: { withdrawn: true } },
          ),
          optional: ['operation.opened', 'mayBeSent', 'resent', 'resent.withdrawn'],
        },
        {
          genuine: request({ type: 'followTransaction', id: 'unknown', until: 'final', expected: EXPECTED_CALL }),
          optional: ['abiFunctionSignature', 'abiParameters', 'amount'].map((field) => `operation.expected.${field}`),
          any: ['operation.expected.abiParameters.*'],
        },
        ...operations.map((operation) => ({ genuine: request(operation) })),
      ],
      stateChanged: [
        {
          genuine: {
            notificationId: 'n',
            id: 'unknown-challenge',
            userId: 'u',
            type: 'SET_PIN',
            status: 'FAILED',
            correlationIds: ['c'],
            errorCode: 155701,
          },
          optional: ['errorCode'],
        },
      ],
    },
    updates: {
      approval: [{ genuine: { publicKey: publicKey(), challengeId: 'unknown-challenge' }, optional: ['challengeId'] }],
    },
    queries: ['progress'],
  };
}

export function heldEventsSamples(): MessageSamples {
  return {
    signals: { put: [{ genuine: heldEvent('sample'), any: ['payload', 'payload.a'] }] },
    updates: { take: [{ genuine: ['sample'] }] },
    queries: ['list'],
  };
}

export function eventDeliverySamples(event: FlowEvent): MessageSamples {
  const list = { genuine: [event], any: ['*.data', '*.data.name', '*.data.state'] };
  return { signals: { enqueue: [list], redeliver: [list] }, updates: {}, queries: [] };
}

export function heldEvent(id: string): HeldEvent {
  return { id, at: AT, type: 'contracts.eventLog', reason: 'no flow takes it', payload: { a: 1 } };
}

/** An event of a flow. */
export function flowEvent(entity: string, ref: string, sequence: number): FlowEvent {
  const data = { name: 'gate', state: 'done' } as const;
  const timestamp = new Date().toISOString();
  return { id: `transfer/${ref}/${sequence}`, type: 'step', timestamp, entity, flow: 'transfer', ref, sequence, data };
}

function failure() {
  return {
    code: 155201,
    name: 'X',
    status: 400,
    endpoint: 'getUser',
    requestId: 'r',
    kind: 'refused',
    remedy: 'none',
    tainted: false,
    runId: 'r',
  };
}

function publicKey(): string {
  return generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' }).x!;
}
