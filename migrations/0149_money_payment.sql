-- Money of clues names the payment that brought it or gave it back. Until now its remark alone did.
ALTER TABLE money_record ADD COLUMN payment_order_id BIGINT REFERENCES payment_order (id);
UPDATE money_record SET payment_order_id = (
    SELECT MIN(o.id) FROM payment_order o WHERE o.clue_id = money_record.clue_id AND o.biz_type = 'service_fee' AND (
      o.no = money_record.remark OR EXISTS (SELECT 1 FROM payment_refund r WHERE r.payment_order_id = o.id AND r.no = money_record.remark)
      -- The remarks of an erased person are hidden.
      OR (money_record.remark = '***' AND o.paid_cents IS NOT NULL)
    )
  ) WHERE created_by IS NULL AND reviewed_by IS NULL AND status IN ('confirmed', 'void');

-- Programs before this one would add such money without it.
UPDATE schema_fence SET least = 149 WHERE id = 1;
