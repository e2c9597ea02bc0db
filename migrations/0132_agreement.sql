-- The register of agreements: texts that applicants consent to, by code and edition.
CREATE TABLE agreement (
  id {{id}},
  code TEXT NOT NULL,
  -- The agreement's own version, such as 2026.1; `version` counts the changes of the row.
  edition TEXT NOT NULL,
  name TEXT NOT NULL,
  text TEXT NOT NULL,
  -- SHA-256 of the text, in hex.
  digest TEXT NOT NULL,
  -- 0 of those that earlier consents named by a digest alone: their texts were not kept.
  text_kept BIGINT NOT NULL,
  valid_from BIGINT NOT NULL,
  valid_to BIGINT,
  version BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  created_by BIGINT,
  updated_by BIGINT
);
CREATE UNIQUE INDEX agreement_edition ON agreement (code, edition) WHERE text_kept = 1;
CREATE UNIQUE INDEX agreement_digest ON agreement (code, edition, digest);
CREATE INDEX agreement_created ON agreement (created_at, id);
CREATE INDEX agreement_from ON agreement (valid_from, id);
CREATE INDEX agreement_to ON agreement ((COALESCE(valid_to, 9007199254740991)), id);

-- What consents named so far. Staff enter the text with that digest, or end the entry.
INSERT INTO agreement (code, edition, name, text, digest, text_kept, valid_from, valid_to, created_at, updated_at)
SELECT agreement_code, agreement_version, agreement_code, '', text_hash, 0, MIN(granted_at), NULL, MIN(created_at), MIN(created_at)
FROM consent_record GROUP BY agreement_code, agreement_version, text_hash;
ALTER TABLE consent_record ADD COLUMN agreement_id BIGINT REFERENCES agreement (id);
UPDATE consent_record SET agreement_id = (
  SELECT a.id FROM agreement a WHERE a.code = consent_record.agreement_code AND a.edition = consent_record.agreement_version
    AND a.digest = consent_record.text_hash
);
ALTER TABLE consent_record DROP COLUMN agreement_code;
ALTER TABLE consent_record DROP COLUMN agreement_version;
ALTER TABLE consent_record DROP COLUMN text_hash;

-- Programs of before would write the columns that are gone.
UPDATE schema_fence SET least = 132 WHERE id = 1 AND least < 132;
