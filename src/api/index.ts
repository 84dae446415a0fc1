/** The typed client of the API: `walletflow/api`. */
export { ApiError, CALL_FAILURES, type CallOutcome } from './apiError';
export type { ApiOptions, CallOptions, CallReport } from './caller';
export { type Api, type ApiResponse, createApi } from './client';
export type { OperationId, RequestOf, ResponseOf } from './contract';
export { BlockedRequestError, createDispatcher } from './dispatcher';
export { checkChain, checkEntity, defaultHosts, type Entity, type Hosts } from './entity';
export { type ApiErrorEntry, findError } from './errors';
export { type FieldProblem, InvalidRequestError } from './invalidRequest';
export { paginate, PagingStalledError, RowsSkippedError } from './paginate';
export type { ApiLogger } from './parseResponse';
export { parseRetryAfter } from './retryAfter';
