import { BATCH_MODES, type BatchMode, IsBatchMode, IsBatchOf } from '../../../platform/http/index.js';
import { RequestTransferDto } from '../request-transfer/request-transfer.dto.js';

export class RequestTransfersDto {
  @IsBatchMode(BATCH_MODES)
  mode?: BatchMode;

  @IsBatchOf(RequestTransferDto)
  items: object[];
}
