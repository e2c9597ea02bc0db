-- A hash of all links of an import, written once the last of them is in. None while the import runs, or where it was cut off: such
-- an import is not approved.
ALTER TABLE payment_link_import ADD COLUMN links_hash TEXT;
