import type { DataConverter, PayloadCodec } from '@temporalio/common';

/** Client, worker and bundle must all use it. A bundle without it would store failures of workflow code in clear text. */
export const failureConverterPath = require.resolve('./failureConverter');

/**
 * Names the converters and interceptors that a bundle is built with. A worker refuses a bundle whose stamp has another value. Change it
 * together with them.
 */
export const CONVERTER_IDENTITY = 'payloads=default; failures=attested; messages=envelopes';

/**
 * The conversion of values and failures, for clients, workers and replay.
 *
 * @param codecs applied in this order when writing. Without codecs nothing is encrypted.
 */
export function dataConverter(codecs: readonly PayloadCodec[]): DataConverter {
  return { payloadCodecs: [...codecs], failureConverterPath };
}
