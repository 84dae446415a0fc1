import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import { isDecimal, toBaseUnits, toFixedDecimals } from '../../domain/money';
import { FIAT_CURRENCIES, type FiatCurrency, RATE_DECIMALS } from '../../domain/ramp';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { deposit } from '../ramp/deposits';
import { customerAmountDecimals } from '../ramp/markets';
import { complete, fail } from '../ramp/payouts';
import { currentRate } from '../ramp/quotes';
import { USUAL_DRIFT } from '../ramp/rates';
import { enter, KYC_STEP_NAMES, rampSessionOf, takeKycStep } from '../ramp/sessionMachine';
import type { SessionRow } from '../ramp/state';
import type { World } from '../world/world';
import { control, type ControlTable } from './control';

/** What customers do on the ramp's page, and what the partner, banks and markets do. */
export const rampControls: ControlTable = {
  'POST /ramp/sessions/{id}/kyc': control({
    summary: "Performs a step of the customer's identity check: submit, approve or reject; only webhooks report it",
    params: idParams,
    body: z.strictObject({ step: z.enum(KYC_STEP_NAMES) }),
    run: (world, { params, body }) => changeSession(world, params.id, (row) => takeKycStep(world, row, body.step)),
  }),
  'POST /ramp/sessions/{id}/deposit': control({
    summary: 'The customer pays fiat, or USDC from an address outside this world',
    params: idParams,
    body: z.strictObject({ amount: z.string().refine(isDecimal, 'must be a decimal string').optional() }),
    run: (world, { params, body }) =>
      changeSession(world, params.id, (row) => deposit(world, row, unitsOf(row, body.amount))),
  }),
  'POST /ramp/sessions/{id}/complete': control({
    summary: "The partner pays fiat, or USDC to the session's address",
    params: idParams,
    run: (world, { params }) => changeSession(world, params.id, (row) => complete(world, row)),
  }),
  'POST /ramp/sessions/{id}/fail': control({
    summary: 'Fails the session; USDC received for a sale is sent back',
    params: idParams,
    run: (world, { params }) => changeSession(world, params.id, (row) => fail(world, row)),
  }),
  'POST /ramp/sessions/{id}/expire': control({
    summary: 'Expires the session now',
    params: idParams,
    run: (world, { params }) => changeSession(world, params.id, (row) => enter(world, row, 'EXPIRED')),
  }),
  'GET /ramp/rates': control({
    summary: 'Lists the current rates, fiat for one USDC, and their drift',
    run: (world) => ({ rates: FIAT_CURRENCIES.map((currency) => presentRate(world, currency)) }),
  }),
  'PUT /ramp/rates': control({
    summary: 'Sets how far a rate is shifted, and how far it swings within an hour, in parts per million',
    body: z.strictObject({
      fiatCurrency: z.enum(FIAT_CURRENCIES),
      shiftPpm: z.number().int().min(-900_000).max(10_000_000).default(USUAL_DRIFT.shiftPpm),
      swingPpm: z.number().int().min(0).max(50_000).default(USUAL_DRIFT.swingPpm),
    }),
    run: (world, { body: { fiatCurrency, ...drift } }) => {
      world.ramp.drifts.set(fiatCurrency, drift);
      return presentRate(world, fiatCurrency);
    },
  }),
};

function changeSession(world: World, id: string, change: (row: SessionRow) => void) {
  const row = rampSessionOf(world, id);
  change(row);
  return row.resource;
}

function unitsOf({ resource }: SessionRow, amount: string | undefined): bigint | undefined {
  if (amount === undefined) return undefined;
  try {
    return toBaseUnits(amount, customerAmountDecimals(resource.rampType));
  } catch (error) {
    throw new ApiErrorResponse(2, { message: (error as Error).message });
  }
}

function presentRate(world: World, fiatCurrency: FiatCurrency) {
  const drift = world.ramp.drifts.get(fiatCurrency) ?? USUAL_DRIFT;
  return { fiatCurrency, rate: toFixedDecimals(currentRate(world, fiatCurrency), RATE_DECIMALS), ...drift };
}
