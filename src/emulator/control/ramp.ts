import { z } from 'zod';
import { idParams } from '../../api/contract/schema';
import { FIAT_CURRENCIES, RATE_DECIMALS, type FiatCurrency } from '../../domain/ramp';
import { isDecimal, toBaseUnits, toFixedDecimals } from '../../domain/money';
import { rampSessionOf } from '../areas/ramp';
import { deposit } from '../ramp/deposits';
import { givenDecimals } from '../ramp/markets';
import { complete, fail } from '../ramp/payouts';
import { currentRate } from '../ramp/quotes';
import { USUAL_DRIFT } from '../ramp/rates';
import { KYC_STEP_NAMES, enter, takeKycStep } from '../ramp/sessionMachine';
import type { SessionRow } from '../ramp/state';
import { Refusal } from '../refusal';
import type { World } from '../world';
import { control, type ControlTable } from './control';

/** What customers do on the ramp's page, and what its partner, banks and markets do. */
export const rampControls: ControlTable = {
  'POST /ramp/sessions/{id}/kyc': control({
    summary: "A step of the customer's identity check: submit, approve or reject; only webhooks tell of it",
    params: idParams,
    body: z.strictObject({ step: z.enum(KYC_STEP_NAMES) }),
    run: (world, { params, body }) => changed(world, params.id, (row) => takeKycStep(world, row, body.step)),
  }),
  'POST /ramp/sessions/{id}/deposit': control({
    summary: 'The customer pays fiat, or USDC from an address that is no wallet of this world',
    params: idParams,
    body: z.strictObject({ amount: z.string().refine(isDecimal, 'a decimal string is needed').optional() }),
    run: (world, { params, body }) =>
      changed(world, params.id, (row) => deposit(world, row, unitsOf(row, body.amount))),
  }),
  'POST /ramp/sessions/{id}/complete': control({
    summary: 'The partner pays: fiat, or USDC to the address of the session',
    params: idParams,
    run: (world, { params }) => changed(world, params.id, (row) => complete(world, row)),
  }),
  'POST /ramp/sessions/{id}/fail': control({
    summary: 'FAILED; USDC that came for a sale is sent back',
    params: idParams,
    run: (world, { params }) => changed(world, params.id, (row) => fail(world, row)),
  }),
  'POST /ramp/sessions/{id}/expire': control({
    summary: 'EXPIRED before its time',
    params: idParams,
    run: (world, { params }) => changed(world, params.id, (row) => enter(world, row, 'EXPIRED')),
  }),
  'GET /ramp/rates': control({
    summary: 'Rates of this moment, fiat for one USDC, and how they drift',
    run: (world) => ({ rates: FIAT_CURRENCIES.map((currency) => shownRate(world, currency)) }),
  }),
  'PUT /ramp/rates': control({
    summary: 'How a rate differs from the usual, and how far it swings within an hour, in parts per million',
    body: z.strictObject({
      fiatCurrency: z.enum(FIAT_CURRENCIES),
      shiftPpm: z.number().int().min(-900_000).max(10_000_000).default(USUAL_DRIFT.shiftPpm),
      swingPpm: z.number().int().min(0).max(50_000).default(USUAL_DRIFT.swingPpm),
    }),
    run: (world, { body: { fiatCurrency, ...drift } }) => {
      world.store.ramp.drifts.set(fiatCurrency, drift);
      return shownRate(world, fiatCurrency);
    },
  }),
};

function changed(world: World, id: string, change: (row: SessionRow) => void) {
  const row = rampSessionOf(world, id);
  change(row);
  return row.resource;
}

function unitsOf({ resource }: SessionRow, amount: string | undefined): bigint | undefined {
  if (amount === undefined) return undefined;
  try {
    return toBaseUnits(amount, givenDecimals(resource.rampType));
  } catch (error) {
    throw new Refusal(2, { message: (error as Error).message });
  }
}

function shownRate(world: World, fiatCurrency: FiatCurrency) {
  const drift = world.store.ramp.drifts.get(fiatCurrency) ?? USUAL_DRIFT;
  return { fiatCurrency, rate: toFixedDecimals(currentRate(world, fiatCurrency), RATE_DECIMALS), ...drift };
}
