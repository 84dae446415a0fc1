import type { DataConverter, PayloadCodec } from '@temporalio/common';

/** Given to client, worker and bundle alike: a bundle made without it stores failures of workflow code in clear text. */
export const failureConverterPath = require.resolve('./failureConverter');

/** Names what a bundle was built with; another value in a bundle's stamp makes the worker refuse it. Change together. */
export const CONVERTER_IDENTITY = 'payloads=default; failures=default,encodeCommonAttributes';

/**
 * How values and failures are stored, for clients, workers and replay.
 *
 * @param codecs applied in this order when writing; empty leaves payloads readable, failures still in the payload form
 */
export function dataConverter(codecs: readonly PayloadCodec[]): DataConverter {
  return { payloadCodecs: [...codecs], failureConverterPath };
}
