import type { RampStatus } from '../../domain/ramp';
import { Refusal } from '../refusal';
import type { RampSession } from '../resources';
import type { World } from '../world';
import type { Kyc, SessionRow } from './state';

/**
 * The life of a session (api-facts 10), and the webhook that tells of each status. Money that comes after the expiry is
 * settled nevertheless (field case RP-03).
 */
const STATUSES: Record<RampStatus, { next: readonly RampStatus[]; webhook?: string }> = {
  PENDING: { next: ['DEPOSIT_RECEIVED', 'FAILED', 'EXPIRED'] },
  DEPOSIT_RECEIVED: { next: ['COMPLETED', 'FAILED'], webhook: 'depositReceived' },
  COMPLETED: { next: [], webhook: 'completed' },
  FAILED: { next: [], webhook: 'failed' },
  EXPIRED: { next: ['DEPOSIT_RECEIVED', 'FAILED'], webhook: 'expired' },
};

/** What the customer's identity check goes through; a rejected one can be begun again. */
const KYC_STEPS = {
  submit: { from: ['none', 'rejected'], to: 'submitted', webhook: 'kycSubmitted' },
  approve: { from: ['submitted'], to: 'approved', webhook: 'kycApproved' },
  reject: { from: ['submitted'], to: 'rejected', webhook: 'kycRejected' },
} as const satisfies Record<string, { from: readonly Kyc[]; to: Kyc; webhook: string }>;

export type KycStep = keyof typeof KYC_STEPS;
export const KYC_STEP_NAMES = Object.keys(KYC_STEPS) as [KycStep, ...KycStep[]];

export function canEnter({ resource, paying }: SessionRow, status: RampStatus): boolean {
  // What is on its way to the customer can't be called back.
  return !paying && STATUSES[resource.status].next.includes(status);
}

/** @throws Refusal 409 */
export function requireCanEnter(row: SessionRow, status: RampStatus): void {
  if (canEnter(row, status)) return;
  const what = row.paying ? 'being paid out' : row.resource.status;
  throw new Refusal(409, { message: `The session is ${what}: it can't become ${status}` });
}

/** Moves on, with `changes`, and tells so. @throws Refusal 409 */
export function enter(world: World, row: SessionRow, status: RampStatus, changes: Partial<RampSession> = {}): void {
  requireCanEnter(row, status);
  row.timer?.();
  row.resource = { ...row.resource, ...changes, status, updateDate: world.clock.now().toISOString() };
  const { webhook } = STATUSES[status];
  if (webhook) tell(world, row, webhook);
}

/** PENDING until its deposit comes or its time is over. */
export function begin(world: World, row: SessionRow): void {
  row.timer = world.clock.after(world.settings.rampSessionMs, () => enter(world, row, 'EXPIRED'));
}

export function openKycSteps({ resource, kyc }: SessionRow): KycStep[] {
  if (resource.status !== 'PENDING') return [];
  return KYC_STEP_NAMES.filter((step) => (KYC_STEPS[step].from as readonly Kyc[]).includes(kyc));
}

/** @throws Refusal 409 when the step does not follow, or the session has ended */
export function takeKycStep(world: World, row: SessionRow, step: KycStep): void {
  const { to, webhook } = KYC_STEPS[step];
  if (!openKycSteps(row).includes(step)) {
    throw new Refusal(409, {
      message: `The session is ${row.resource.status} and its KYC "${row.kyc}": it takes no "${step}"`,
    });
  }
  row.kyc = to;
  tell(world, row, webhook);
}

function tell(world: World, { resource }: SessionRow, webhook: string): void {
  world.webhooks.emit(`rampSession.${webhook}`, resource);
}
