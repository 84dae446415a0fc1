import type { RampStatus } from '../../domain/ramp';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { RampSession } from '../ledger/resources';
import type { World } from '../world/world';
import type { KycStatus, SessionRow } from './state';

/**
 * The statuses of a session (docs/api-behavior.md#ramp) and the webhook that reports each. A deposit that arrives after the
 * expiry is still accepted.
 */
const STATUSES: Record<RampStatus, { next: readonly RampStatus[]; webhook?: string }> = {
  PENDING: { next: ['DEPOSIT_RECEIVED', 'FAILED', 'EXPIRED'] },
  DEPOSIT_RECEIVED: { next: ['COMPLETED', 'FAILED'], webhook: 'depositReceived' },
  COMPLETED: { next: [], webhook: 'completed' },
  FAILED: { next: [], webhook: 'failed' },
  EXPIRED: { next: ['DEPOSIT_RECEIVED', 'FAILED'], webhook: 'expired' },
};

/** The steps of the customer's identity check. After a rejection the customer can submit again. */
const KYC_STEPS = {
  submit: { from: ['none', 'rejected'], to: 'submitted', webhook: 'kycSubmitted' },
  approve: { from: ['submitted'], to: 'approved', webhook: 'kycApproved' },
  reject: { from: ['submitted'], to: 'rejected', webhook: 'kycRejected' },
} as const satisfies Record<string, { from: readonly KycStatus[]; to: KycStatus; webhook: string }>;

export type KycStep = keyof typeof KYC_STEPS;
export const KYC_STEP_NAMES = Object.keys(KYC_STEPS) as [KycStep, ...KycStep[]];

/** @throws ApiErrorResponse 404; the API has no separate "not found" code for ramp sessions */
export function rampSessionOf({ ramp }: World, id: string): SessionRow {
  const row = ramp.sessions.get(id);
  if (!row) throw new ApiErrorResponse(404, { message: 'Ramp session not found' });
  return row;
}

export function canEnter({ resource, payoutPending }: SessionRow, status: RampStatus): boolean {
  // A payout that was sent cannot be cancelled.
  return !payoutPending && STATUSES[resource.status].next.includes(status);
}

/** @throws ApiErrorResponse 409 the session cannot enter the status */
export function requireCanEnter(row: SessionRow, status: RampStatus): void {
  if (canEnter(row, status)) return;
  const current = row.payoutPending ? 'being paid out' : row.resource.status;
  throw new ApiErrorResponse(409, { message: `The session is ${current}: it cannot become ${status}` });
}

/** Enters a status with `changes` and sends its webhook. @throws ApiErrorResponse 409 the session cannot enter the status */
export function enter(world: World, row: SessionRow, status: RampStatus, changes: Partial<RampSession> = {}): void {
  requireCanEnter(row, status);
  row.timer?.();
  row.resource = { ...row.resource, ...changes, status, updateDate: world.clock.now().toISOString() };
  const { webhook } = STATUSES[status];
  if (webhook) emitWebhook(world, row, webhook);
}

/** Schedules the expiry of a PENDING session. */
export function startExpiry(world: World, row: SessionRow): void {
  row.timer = world.clock.after(world.settings.rampSessionMs, () => enter(world, row, 'EXPIRED'));
}

export function openKycSteps({ resource, kyc }: SessionRow): KycStep[] {
  if (resource.status !== 'PENDING') return [];
  return KYC_STEP_NAMES.filter((step) => (KYC_STEPS[step].from as readonly KycStatus[]).includes(kyc));
}

/** @throws ApiErrorResponse 409 the step does not follow the current one, or the session is not PENDING */
export function takeKycStep(world: World, row: SessionRow, step: KycStep): void {
  const { to, webhook } = KYC_STEPS[step];
  if (!openKycSteps(row).includes(step)) {
    throw new ApiErrorResponse(409, {
      message: `The session is ${row.resource.status} and its KYC is "${row.kyc}": the step "${step}" is not possible`,
    });
  }
  row.kyc = to;
  emitWebhook(world, row, webhook);
}

function emitWebhook(world: World, { resource }: SessionRow, webhook: string): void {
  world.webhooks.emit(`rampSession.${webhook}`, resource);
}
